import FuzzTargets
import Glibc

#if FUZZING

    /// The target that `FUZZ_TARGET` names. libFuzzer has `main`, and passes it each input.
    private let target: FuzzTarget = {
        let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
        guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
            print("FUZZ_TARGET must be one of \(FuzzTarget.all.map(\.name).joined(separator: ", "))")
            exit(64)
        }
        return target
    }()

    /// Instrumented code is slower, and the machine may be busy.
    private let factor = 4.0

    /// Reads one input of libFuzzer; a slow one is a finding.
    @_cdecl("LLVMFuzzerTestOneInput")
    public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
        let input = Array(UnsafeBufferPointer(start: data, count: size))
        let cost = FuzzCost(of: input, in: target, factor: factor)
        // The first measurement may include the start of threads.
        guard cost.isWithinLimit || FuzzCost(of: input, in: target, factor: factor).isWithinLimit else {
            let message = "SLOW: \(cost)\n"
            _ = message.withCString { write(STDERR_FILENO, $0, strlen($0)) }
            abort()
        }
        return 0
    }

#else

    /// Lists the targets, for `Scripts/fuzz`.
    @main struct Fuzz {
        static func main() { for target in FuzzTarget.all { print(target.name) } }
    }

#endif
