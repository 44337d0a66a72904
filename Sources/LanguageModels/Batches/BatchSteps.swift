internal import Basics
internal import JSON
internal import JobQueue

/// What a provider answers about a batch, as an event of its state, with the problem for operators.
extension BatchModel {
    typealias Step = (event: ModelBatch.Event, problem: ModelError?)

    /// Creates a batch of lines.
    func send(_ batch: ModelBatch, _ lines: [JSON], by bounds: BatchBounds) async -> Step {
        do throws(ModelError) {
            let id = try await create(lines, name: batch.fingerprint, within: bounds.creation)
            return (.created(providerID: id), nil)
        } catch {
            return (error.creation, error)
        }
    }

    /// Looks for a batch in the provider's list whose creation gave no answer. `known` are the provider's ids of other
    /// batches.
    func look(for batch: ModelBatch, known: Set<String>) async -> Step {
        let sought = SoughtBatch(
            name: batch.fingerprint, lines: batch.lines, since: batch.listedSince?.milliseconds ?? 0,
            known: known.union(batch.foreignIDs))
        do throws(ModelError) {
            return (.listed(providerID: try await find(sought)), nil)
        } catch {
            return (.pending, error)
        }
    }

    /// Asks whether the provider is done with a batch.
    func poll(_ providerID: String) async -> Step {
        do throws(ModelError) {
            return (try await status(of: providerID) == .ended ? .ended : .pending, nil)
        } catch {
            return (error.kind == .notFound ? .gone : .pending, error)
        }
    }
}

extension ModelError {
    /// The meaning of an error of a batch's creation.
    fileprivate var creation: ModelBatch.Event {
        let isRefusal = self.status.map { (400..<500).contains($0) && ![408, 409, 429].contains($0) } ?? false
        return isRefusal ? .refused : .answerLost(isUncreated: self.isUnsent || self.status == 429)
    }
}
