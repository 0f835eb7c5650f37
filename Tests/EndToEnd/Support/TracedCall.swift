import Testing

/// A system call that another process is made to do, as an attacker in it could.
enum TracedCall {
    /// Numbers of x86-64.
    enum Number: Int {
        case shmget = 29
        case socket = 41
        case kill = 62
        case openat = 257
        case memfd_create = 319
    }

    /// Whether the machine is of that architecture.
    static let isPossible = (try? Program.mustRun("uname", ["-m"])) == "x86_64\n"

    /// Its result: a negative one is an errno. Arguments are numbers or paths.
    static func result(of call: Number, _ arguments: String..., in process: Int32) throws -> Int {
        let all = ["\(process)", "\(call.rawValue)"] + arguments
        return try #require(PythonClients.runAsRoot("system_call.py", all)["result"] as? Int)
    }
}
