import FoundationEssentials
import Simulator

extension Command {
    static let simulate = Command(
        path: ["simulate"], summary: "Run the simulator of model providers and of the SEC",
        options: [
            Option("--listen", "HOST:PORT", "The address to listen on (default 127.0.0.1:5002)"),
            Option("--tokens-per-second", "N", "The speed of streamed text (default: unlimited)"),
            Option("--faults", "LIST", "Faults with their rates, as in 429=0.1,529=0.05,stall=0.01"),
            Option("--seed", "N", "The seed that selects the requests with faults (default 1)"),
        ],
        notes: """
            It prints the variables that connect Dossier to it. Its texts are simulated and marked as such; the
            companies' figures are real. Requests equal to those of the cases in DOSSIER_HOME (default: the current
            folder) get their accepted answers. GET /simulator/requests lists the requests, and POST /simulator/faults
            sets faults.
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
        let simulator = Simulator(
            SimulatorConfiguration(
                address: address, pacing: pacing, faults: faults,
                home: invocation.environment["DOSSIER_HOME"] ?? FileManager.default.currentDirectoryPath))
        let signals = ProcessSignals.stream()
        let url: String
        do {
            url = try simulator.start()
        } catch {
            throw CommandFailure.failed("cannot listen on \(address): \(error)")
        }
        Terminal.print("The simulator listens on \(url). To use it:\n")
        for (name, value) in Simulator.environment(at: url).sorted(by: { $0.key < $1.key }) {
            Terminal.print("export \(name)='\(value)'")
        }
        for await signal in signals where signal == .stop { break }
        await simulator.stop()
    }
}
