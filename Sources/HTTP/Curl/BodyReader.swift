/// The reader's end of a streamed body. When the stream that holds it is dropped, the transfer ends.
final class BodyReader: Sendable {
    private let client: HTTPClient
    private let transfer: Transfer
    private let buffer: BodyBuffer

    /// Keeps the client alive, as its loop carries the transfer.
    init(client: HTTPClient, transfer: Transfer, buffer: BodyBuffer) {
        self.client = client
        self.transfer = transfer
        self.buffer = buffer
    }

    deinit { client.loop.cancel(transfer) }

    func next() async throws(HTTPClientError) -> [UInt8]? {
        let result: Result<[UInt8]?, HTTPClientError> = await withTaskCancellationHandler {
            do throws(HTTPClientError) {
                return .success(try await buffer.next { client.loop.resume(transfer) })
            } catch {
                return .failure(error)
            }
        } onCancel: {
            buffer.finish(.failure(.cancelled))
            client.loop.cancel(transfer)
        }
        return try result.get()
    }
}
