import Testing

/// A system call that another process is made to do, as an attacker in it could.
enum TracedCall {
    /// Numbers of x86-64.
    enum Number: Int {
        case open = 2
        case mmap = 9
        case mprotect = 10
        case ioctl = 16
        case access = 21
        case shmget = 29
        case shmat = 30
        case socket = 41
        case bind = 49
        case listen = 50
        case fork = 57
        case execve = 59
        case kill = 62
        case truncate = 76
        case mkdir = 83
        case creat = 85
        case unlink = 87
        case chmod = 90
        case fchmod = 91
        case chown = 92
        case fchown = 93
        case lchown = 94
        case ptrace = 101
        case setuid = 105
        case utime = 132
        case mknod = 133
        case mount = 165
        case setxattr = 188
        case lsetxattr = 189
        case fsetxattr = 190
        case listxattr = 194
        case removexattr = 197
        case utimes = 235
        case mq_open = 240
        case add_key = 248
        case inotify_init = 253
        case inotify_add_watch = 254
        case openat = 257
        case mkdirat = 258
        case mknodat = 259
        case fchownat = 260
        case futimesat = 261
        case fchmodat = 268
        case unshare = 272
        case utimensat = 280
        case process_vm_readv = 310
        case finit_module = 313
        case memfd_create = 319
        case io_uring_setup = 425
        case openat2 = 437
        case fchmodat2 = 452
    }

    /// Whether the machine is of that architecture.
    static let isPossible = (try? Program.mustRun("uname", ["-m"])) == "x86_64\n"

    /// Its result: a negative one is an errno. Arguments are numbers or paths.
    static func result(of call: Number, _ arguments: String..., in process: Int32) throws -> Int {
        try result(of: call, arguments, in: process)
    }

    static func result(of call: Number, _ arguments: [String], in process: Int32) throws -> Int {
        let all = ["\(process)", "\(call.rawValue)"] + arguments
        return try #require(PythonClients.runAsRoot("system_call.py", all)["result"] as? Int)
    }
}
