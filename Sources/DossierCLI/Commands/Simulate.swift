import Simulator

extension Command {
    static let simulate = Command(
        path: ["simulate"], summary: "Run the simulator of model providers and of the SEC",
        options: [
            Option("--listen", "HOST:PORT", "Where to listen (default 127.0.0.1:5002)"),
            Option("--tokens-per-second", "N", "How fast streamed text comes (default: at once)"),
            Option("--faults", "LIST", "Faults by rate, as in 429=0.1,529=0.05,stall=0.01"),
            Option("--seed", "N", "Decides which requests a rate hits (default 1)"),
        ],
        notes: """
            Point Dossier at it with the variables that it prints. What it writes is simulated and says so; the companies'
            figures are real. GET /simulator/requests shows what it was asked, POST /simulator/faults breaks things.
            """
    ) { invocation in
        let address = invocation.options["--listen"] ?? "127.0.0.1:5002"
        do {
            _ = try ListenAddress.checked(address)
        } catch let error as ConfigurationError {
            throw CommandFailure.usage("--listen: \(error.message)")
        }
        var pacing = Pacing()
        let speed = try invocation.integer("--tokens-per-second", in: 0...100_000, default: 0)
        if speed > 0 { pacing.tokensPerSecond = Double(speed) }
        var faults: [FaultRule] = []
        if let list = invocation.options["--faults"] {
            let seed = try invocation.integer("--seed", in: 0...Int.max, default: 1)
            do {
                faults = try FaultRule.rates(list, seed: UInt64(seed))
            } catch {
                throw CommandFailure.usage("--faults: \(error)")
            }
        }
        let simulator = Simulator(SimulatorConfiguration(address: address, pacing: pacing, faults: faults))
        let signals = ProcessSignals.stream()
        let url: String
        do {
            url = try simulator.start()
        } catch {
            throw CommandFailure.failed("cannot listen on \(address): \(error)")
        }
        Terminal.print("The simulator listens on \(url). Use it with:\n")
        for (name, value) in Simulator.environment(at: url).sorted(by: { $0.key < $1.key }) {
            Terminal.print("export \(name)='\(value)'")
        }
        for await signal in signals where signal == .stop { break }
        await simulator.stop()
    }
}
