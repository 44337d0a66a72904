import FoundationEssentials
import Simulator

extension Command {
    static let simulate = Command(
        path: ["simulate"], summary: "Run the simulator of model providers and of the SEC",
        options: [
            Option("--listen", "HOST:PORT", "The address to listen on (default 127.0.0.1:5002)"),
            Option("--tokens-per-second", "N", "The speed of streamed text (default: unlimited)"),
            Option("--latency", "LIST", "Waits and speeds that vary, as in 'first_byte 0.8, tail 0.02, speed 80'"),
            Option("--limits", "LIST", "Limits a minute, as in 'claude/sonnet: requests 1000, input 3000000, burst 1'"),
            Option("--lenient", nil, "Record calls beyond a limit and refuse none"),
            Option("--batches", "LIST", "Time and failures of batches, as in 'seconds 60, expired 0.01'"),
            Option("--faults", "LIST", "Faults with their rates, as in 429=0.1,stall=0.02,529=0.001x10"),
            Option("--seed", "N", "The seed that selects the requests with faults (default 1)"),
        ],
        notes: """
            It prints the variables that connect Dossier to it. Its texts are simulated and marked as such; the
            companies' figures are real. Requests equal to those of the cases in DOSSIER_HOME get their accepted
            answers. GET /simulator/requests lists the requests, and POST /simulator/faults
            sets faults. GET /simulator/limits shows the use of the limits, which are generous unless --limits sets
            them, and GET /simulator/bill what the providers bill.
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
        var latency: Latency?
        if let list = invocation.options["--latency"] {
            do {
                latency = try Latency(parsing: list)
            } catch {
                throw CommandFailure.usage("--latency: \(error)")
            }
        }
        var batches = BatchSettings()
        if let list = invocation.options["--batches"] {
            do {
                batches = try BatchSettings(parsing: list)
            } catch {
                throw CommandFailure.usage("--batches: \(error)")
            }
        }
        var limits = ModelLimit.generous
        if let list = invocation.options["--limits"] {
            do {
                // What the list does not name stays generous.
                limits = try ModelLimit.list(list) + ModelLimit.generous
            } catch {
                throw CommandFailure.usage("--limits: \(error)")
            }
        }
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
                address: address, pacing: pacing, latency: latency, limits: limits,
                isStrict: !invocation.has("--lenient"), batches: batches, faults: faults,
                home: invocation.environment["DOSSIER_HOME"] ?? ContentFolder.standard))
        let signals = ProcessSignals.stream()
        let url: String
        do {
            url = try simulator.start()
        } catch {
            throw CommandFailure.failed("\(error)")
        }
        Terminal.print("The simulator listens on \(url). To use it:\n")
        for (name, value) in Simulator.environment(at: url).sorted(by: { $0.key < $1.key }) {
            Terminal.print("export \(name)='\(value)'")
        }
        for await signal in signals where signal == .stop { break }
        await simulator.stop()
    }
}
