package import Basics
internal import Foundation
package import Prices

/// Prices from an operator's folder: `AAPL.csv` with daily rows, `AAPL-1h.csv` with hourly ones, as `PriceTable` reads
/// them, in US dollars.
package struct PriceFolder: PriceSource {
    private let folder: String

    package var isMetered: Bool { false }

    package init(_ folder: String) { self.folder = folder }

    package func prices(
        of ticker: Ticker, _ timeframe: Timeframe, from first: CalendarDate, to last: CalendarDate
    ) async throws(DataSourceError) -> SourcedPrices {
        // Reading blocks: not on a thread of the cooperative pool.
        let result: Result<[RawPriceBar], DataSourceError> = await withCheckedContinuation { continuation in
            let isStarted = Basics.Thread.start {
                continuation.resume(returning: read(ticker, timeframe))
            }
            if !isStarted { continuation.resume(returning: .failure(.unavailable(.priceFiles, status: nil))) }
        }
        let rows = try result.get().filter { $0.time < (last + 1).secondsSinceEpoch }
        // A file that ends long ago gives as many days as one that is up to date.
        let newest = rows.map(\.time).max().map { CalendarDate(secondsSinceEpoch: $0) } ?? last
        let oldest = min(first, newest + -(last - first)).secondsSinceEpoch
        return SourcedPrices(rows: rows.filter { $0.time >= oldest }, source: .priceFiles)
    }

    /// The folder's problem; `nil` for a folder that can be read.
    package var problem: String? {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else {
            return "\(folder) does not exist"
        }
        guard isFolder.boolValue else { return "\(folder) is no folder" }
        return FileManager.default.isReadableFile(atPath: folder) ? nil : "\(folder) cannot be read"
    }

    /// A ticker holds letters, digits and a hyphen only, so it cannot leave the folder.
    private func path(_ ticker: Ticker, _ timeframe: Timeframe) -> String {
        folder + "/" + ticker.text + (timeframe == .daily ? ".csv" : "-1h.csv")
    }

    private func read(_ ticker: Ticker, _ timeframe: Timeframe) -> Result<[RawPriceBar], DataSourceError> {
        let other = path(ticker, timeframe == .daily ? .hourly : .daily)
        let path = path(ticker, timeframe)
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
            if problem != nil { return .failure(.unavailable(.priceFiles, status: nil)) }
            return .failure(
                FileManager.default.fileExists(atPath: other)
                    ? .missingPrices(.priceFiles, ticker: ticker.text, timeframe: timeframe)
                    : .notFound(ticker: ticker.text))
        }
        do {
            // Before the file is read: memory is bounded.
            let size = (attributes[.size] as? NSNumber)?.intValue ?? 0
            guard size <= PriceTable.largestFile else { throw PriceTableError.tooLarge(bytes: size) }
            guard attributes[.type] as? FileAttributeType != .typeDirectory,
                let data = FileManager.default.contents(atPath: path)
            else { return .failure(.unavailable(.priceFiles, status: nil)) }
            return .success(try PriceTable.rows([UInt8](data), of: timeframe))
        } catch {
            return .failure(.unusablePrices(.priceFiles, ticker: ticker.text, problem: "\(error)"))
        }
    }
}
