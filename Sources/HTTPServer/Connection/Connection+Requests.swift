import CMicrohttpd
import Glibc
import HTTP

/// The steps of a request on its connection, in the order in which libmicrohttpd calls for them. All on the
/// connection's thread.
extension Connection {
    /// The request line has arrived.
    func beginTarget(_ raw: UnsafeBufferPointer<UInt8>) {
        hasBegunHead = true
        expectRefusal(of: raw)
        pathOfBadQuery = nil
        do throws(ServerError) {
            target = .success((try RequestTarget(parsing: raw), raw.count))
        } catch {
            target = .failure(error)
            pathOfBadQuery = raw.firstIndex(of: UInt8(ascii: "?")).flatMap { mark in
                try? RequestTarget(parsing: UnsafeBufferPointer(rebasing: raw[..<mark])).path
            }
        }
    }

    /// Notices a query whose parameters take too much of the library's memory. With some more of them the library never
    /// calls for the head, and waits; the connection is refused then as if it were late.
    private func expectRefusal(of raw: UnsafeBufferPointer<UInt8>) {
        let limit = core.configuration.maximumHeadSize
        let parameters = raw.firstIndex(of: UInt8(ascii: "?")).map { mark in
            1 + raw[mark...].count { $0 == UInt8(ascii: "&") }
        }
        hasManyParameters = raw.count + (parameters ?? 0) * RequestHead.bytesPerField > limit
        guard hasManyParameters else { return }
        let path = raw.prefix { $0 != UInt8(ascii: "?") }
        let error = core.configuration.errorResponse(
            .headTooLarge(limit: limit), String(decoding: path, as: UTF8.self))
        expire(soonSending: error.encodedForClosing())
    }

    /// The head has arrived. A response at this point closes the connection, so only errors are sent.
    func begin(
        method: UnsafePointer<CChar>, target rawTarget: UnsafePointer<CChar>, version: UnsafePointer<CChar>
    ) -> MHD_Result {
        hasBegunHead = false
        guard advance(from: .awaitingHead, to: .answering) else { return .NO }
        countAsActive()
        isHead = strcmp(method, "HEAD") == 0
        let configuration = core.configuration
        do throws(ServerError) {
            guard !core.isOverloaded else { throw .overloaded(limit: configuration.maximumConnections) }
            if hasManyParameters { throw .headTooLarge(limit: configuration.maximumHeadSize) }
            if isOverAddressLimit { throw .tooManyConnections(limit: configuration.connectionsPerAddress ?? 0) }
            var head = try RequestHead(
                handle, method: method, rawTarget: rawTarget, version: version, target: try target.get(),
                limit: configuration.maximumHeadSize, remoteAddress: remoteAddress)
            let client = address.client(of: head.request.headers)
            if let client, client != address.peer { head.request.clientAddress = client.description }
            guard head.body != .none else {
                upload = RequestUpload(
                    request: head.request, framing: .none, limit: 0, allowance: 0, budget: core.bodies, address: nil)
                return .YES
            }
            if head.body == .chunked { chunksBegin = UnsafeRawPointer(method) + shim_head_size(handle) }
            return try beginBody(of: head, from: address.counted(client))
        } catch {
            return send(configuration.errorResponse(error, readPath), closing: true)
        }
    }

    /// The head announces a body, which is read only if the head is accepted.
    private func beginBody(of head: RequestHead, from client: IPAddress?) throws(ServerError) -> MHD_Result {
        let configuration = core.configuration
        var request = head.request
        let limit: Int
        switch configuration.checkHead(request) {
        case .readBody(let bytes): limit = min(bytes, configuration.maximumBodySize)
        case .refuse(let response):
            // A client that waits for `100 Continue` sends no body.
            if head.expectsContinue { return send(response, closing: true) }
            guard advance(from: .answering, to: .receivingBody) else { return .NO }
            refuseBody(sending: response.encodedForClosing(toHead: isHead))
            return .YES
        }
        request.headWasChecked = true
        let allowance = limit < configuration.maximumBodySize ? Self.shortAllowance : Self.allowance
        if case .length(let length) = head.body, length > limit, head.expectsContinue || length - limit > allowance {
            throw .bodyTooLarge(limit: limit)
        }
        upload = RequestUpload(
            request: request, framing: head.body, limit: limit, allowance: allowance, budget: core.bodies,
            address: client)
        return advance(from: .answering, to: .receivingBody, within: configuration.bodyDeadline) ? .YES : .NO
    }

    /// Bytes over the limit of a body that are still read.
    private static let allowance = 16 << 20
    /// The same for a route with a limit of its own.
    private static let shortAllowance = 256 << 10

    /// A part of the body has arrived.
    func receive(_ bytes: UnsafeRawBufferPointer) -> MHD_Result {
        if isRefused { return .YES }
        if let chunksBegin, let start = bytes.baseAddress, hasMalformedChunkLine(from: chunksBegin, to: start) {
            let error = ServerError.malformedRequest("malformed chunk")
            refuseBody(sending: core.configuration.errorResponse(error, readPath).encodedForClosing())
            return .YES
        }
        switch upload?.append(bytes) {
        case .more: return .YES
        // The library accepts no response in the middle of a body.
        case .noMemory(let limit):
            let error = ServerError.tooManyBodies(limit: limit)
            refuseBody(sending: core.configuration.errorResponse(error, readPath).encodedForClosing())
            return .YES
        case .tooLarge, nil:
            let error = ServerError.bodyTooLarge(limit: upload?.limit ?? 0)
            abortBody(sending: core.configuration.errorResponse(error, readPath).encodedForClosing())
            return .NO
        }
    }

    private func hasMalformedChunkLine(from begin: UnsafeRawPointer, to chunk: UnsafeRawPointer) -> Bool {
        let length = chunk - begin
        guard (1...core.configuration.maximumHeadSize).contains(length) else { return false }
        return UnsafeRawBufferPointer(start: begin, count: length).withMemoryRebound(to: UInt8.self) {
            ChunkLine.isMalformed($0)
        }
    }

    /// The request is complete, or the connection was resumed because its response is ready.
    func proceed() -> MHD_Result {
        if let exchange { return answer(exchange) }
        guard !isRefused, var upload = upload.take() else { return .NO }
        upload.release()
        if isReceivingBody {
            guard advance(from: .receivingBody, to: .answering) else { return .NO }
        }
        let configuration = core.configuration
        if upload.isTooLarge {
            let error = ServerError.bodyTooLarge(limit: upload.limit)
            return send(configuration.errorResponse(error, readPath), closing: core.isDraining)
        }
        if core.isRefusing { return send(configuration.errorResponse(.shuttingDown, readPath), closing: true) }
        let exchange = Exchange(connection: handle)
        publish(exchange)
        exchange.start(upload.request, handler: core.handler, inline: configuration.startsHandlersInline)
        return answer(exchange)
    }

    /// The path of the request line, when it could be read.
    var readPath: String? {
        if case .success((let target, _)) = target { target.path } else { pathOfBadQuery }
    }

    private func answer(_ exchange: Exchange) -> MHD_Result {
        guard let response = exchange.takeOrSuspend() else { return .YES }
        return send(response, closing: core.isDraining)
    }

    private func send(_ response: ServerResponse, closing: Bool) -> MHD_Result {
        do throws(ServerError) {
            let encoder = ResponseEncoder(isHead: isHead, isClosing: closing, exchange: exchange)
            return try encoder.queue(response, on: handle)
        } catch {
            exchange?.cancel()
            let encoder = ResponseEncoder(isHead: isHead, isClosing: true, exchange: nil)
            return (try? encoder.queue(core.configuration.errorResponse(error, readPath), on: handle)) ?? .NO
        }
    }
}
