internal import CSpawn
@preconcurrency import Glibc

/// Starts a child with posix_spawn.
struct Spawning {
    let command: [String]
    /// Variables that are added to those of the tests, or replace them.
    let environment: [String: String]
    let input: MemoryFile?
    let output: Child.Output
    let errors: Child.Output

    /// Starts the child, and returns its process identifier.
    func start() throws(ChildError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Open until the child has its copies.
        let held = [
            give(input, in: &actions), try give(output, as: 1, in: &actions), try give(errors, as: 2, in: &actions),
        ]
        // Another thread may open descriptors meanwhile, with or without O_CLOEXEC. A child that inherited the writing
        // end of another test's pipe would keep its reader waiting.
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        return try withExtendedLifetime(held) { () throws(ChildError) in try spawn(&actions) }
    }

    private func give(_ input: MemoryFile?, in actions: inout posix_spawn_file_actions_t) -> Descriptor? {
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input.descriptor.number, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        return input?.descriptor
    }

    private func give(
        _ output: Child.Output, as number: Int32, in actions: inout posix_spawn_file_actions_t
    ) throws(ChildError) -> Descriptor? {
        let descriptor: Descriptor
        switch output {
        case .inherited: return nil
        case .file(let path):
            posix_spawn_file_actions_addopen(&actions, number, path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            return nil
        case .memory(let file): descriptor = file.descriptor
        case .pipe(let pipe): descriptor = try pipe.takeWriter()
        }
        posix_spawn_file_actions_adddup2(&actions, descriptor.number, number)
        return descriptor
    }

    private func spawn(_ actions: inout posix_spawn_file_actions_t) throws(ChildError) -> pid_t {
        // The threads of tests block signals, and a test may ignore some; a child starts with neither.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var arguments = command.map { strdup($0) } + [nil]
        var variables = variables().map { strdup($0) } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var identifier: pid_t = 0
        let code = posix_spawnp(&identifier, command[0], &actions, &attributes, &arguments, &variables)
        guard code == 0 else { throw ChildError("\(command[0]) cannot be started", code: code) }
        return identifier
    }

    private func variables() -> [String] {
        var all = environment.map { "\($0)=\($1)" }
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if environment[String(text.prefix { $0 != "=" })] == nil { all.append(text) }
            next += 1
        }
        return all
    }
}
