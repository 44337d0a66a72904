import Glibc
import Basics

/// A process that must not outlive the one that started it, however that one ends.
enum ParentWatch {
    /// Ends this process when its standard input does. The other end of a pipe closes with the process that holds it,
    /// also when that is killed; a death signal of the kernel's would come with the end of a mere thread.
    static func endWithStandardInput() {
        _ = Thread.start {
            var byte: UInt8 = 0
            while true {
                let count = read(STDIN_FILENO, &byte, 1)
                if count == 0 || (count < 0 && errno != EINTR) { _exit(130) }
            }
        }
    }
}
