internal import Glibc

/// A file that is written for its owner alone before it gets its name.
package enum PrivateFile {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Opens a file, and makes it where there is none; one that an ended process has left is taken over.
    ///
    /// - Returns: The descriptor of an empty or an older file, which its owner alone may read.
    /// - Throws: `Failure` for what is no regular file, has another name or another owner: who put it there could read what
    ///   is written.
    package static func open(_ path: String) throws(Failure) -> Int32 {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            throw Failure(description: errno == ELOOP ? "\(path) is a link; remove it" : problem(path))
        }
        var status = stat()
        let isOwn =
            fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
            && status.st_uid == geteuid()
        guard isOwn, fchmod(descriptor, 0o600) == 0 else {
            close(descriptor)
            throw Failure(description: "\(path) is no file of this user alone; remove it")
        }
        return descriptor
    }

    /// Refuses a name that has something else than a file: a device, a pipe, a link.
    package static func checkName(_ path: String) throws(Failure) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
        throw Failure(description: "\(path) is a link, a device or a folder, and no file that could be replaced")
    }

    /// Gives a written file its name.
    ///
    /// - Returns: Whether it has it; `errno` says why not, `EEXIST` where nothing may be replaced.
    package static func rename(_ path: String, to name: String, replacing replaces: Bool) -> Bool {
        if replaces { return Glibc.rename(path, name) == 0 }
        // A link refuses a file that has appeared meanwhile. Some file systems have none.
        if link(path, name) == 0 {
            unlink(path)
            return true
        }
        return errno != EEXIST && access(name, F_OK) != 0 && Glibc.rename(path, name) == 0
    }

    private static func problem(_ path: String) -> String {
        "\(path) cannot be written: \(String(cString: strerror(errno)))"
    }
}
