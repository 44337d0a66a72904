internal import DataSources
internal import DossierAPI
internal import JSON
internal import JobQueue
internal import Observability

/// `/api/v1/watchlist`: the stocks that a user watches. Putting and deleting twice is the same as once.
struct WatchlistRoutes: Sendable {
    static let longestList = 500

    let records: any WatchlistRepository
    let reader: StockReader

    func list(_ call: Call) async throws(APIError) -> Reply {
        do {
            return Reply(.array(try await records.watchlist(of: call.user.rawValue).map(\.json)))
        } catch {
            throw APIError(error)
        }
    }

    func put(_ call: Call) async throws(APIError) -> Reply {
        let ticker = try call.ticker()
        let name = try await reader.name(of: ticker)
        let addition: WatchlistAddition
        do {
            addition = try await records.watch(
                ticker.text, name: name, by: call.user.rawValue, limit: Self.longestList)
        } catch {
            throw APIError(error)
        }
        switch addition {
        case .added(let item): return Reply(item.json, status: 201)
        case .existing(let item): return Reply(item.json)
        case .full:
            throw APIError(
                409, .conflict, "A watchlist holds at most \(Self.longestList) stocks.",
                user: "Your watchlist is full. Remove a stock to add another.")
        }
    }

    func delete(_ call: Call) async throws(APIError) -> Reply {
        let ticker = try call.ticker()
        do {
            let removed = try await records.unwatch(ticker.text, by: call.user.rawValue)
            return Reply(["ticker": JSON(ticker.text), "removed": JSON(removed)])
        } catch {
            throw APIError(error)
        }
    }
}

extension WatchlistItem {
    fileprivate var json: JSON {
        ["ticker": JSON(ticker), "name": JSON(name), "added_at": JSON(ISO8601.text(milliseconds: addedAt))]
    }
}
