import CLinux
import Glibc
import SystemFiles

/// Confines a process from inside: Landlock limits files, TCP ports, unix sockets and signals, and a filter of system
/// calls (seccomp(2)) refuses those that it does not need. Nothing lifts them again.
package enum Sandbox {
    /// Confines the calling thread and those that it starts from now on. With `includesOtherThreads` the filter
    /// reaches the others too, but Landlock never does: call it while the process has one thread. What the kernel does
    /// not offer is left out, and the report says so.
    package static func install(_ profile: SandboxProfile, includesOtherThreads: Bool = true) -> SandboxReport {
        var report = SandboxReport()
        if includesOtherThreads {
            report.otherThreads = max(0, PathPlaces.entries(of: "/proc/self/task", without: "").count - 1)
        }
        // In this order: the filter is the last thing that still has to be allowed.
        do throws(SandboxFault) {
            let version = try Landlock.version()
            report.landlock = .success((version, try Landlock.restrict(to: profile, version)))
            if profile.places != nil, includesOtherThreads { SystemFile.sandboxLimitsFiles() }
        } catch {
            report.landlock = .failure(error)
        }
        if clinux_filter_system_calls(profile.calls.filter, profile.needs.filter, includesOtherThreads) != 0 {
            report.filterFault = SandboxFault()
        }
        return report
    }

    /// Whether this process can read a regular file. Landlock is asked only by open(2).
    package static func canRead(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// What this kernel does not offer, a sentence each.
    package static var shortcomings: [String] {
        var report = SandboxReport()
        do { _ = try Landlock.version() } catch { report.landlock = .failure(error) }
        if !clinux_can_filter_system_calls() { report.filterFault = SandboxFault() }
        return report.warnings
    }
}

extension SandboxProfile.Calls {
    fileprivate var filter: clinux_calls {
        switch self {
        case .daemon: CLINUX_CALLS_OF_DAEMON
        case .loading: CLINUX_CALLS_TO_LOAD_KEYS
        case .signing: CLINUX_CALLS_TO_SIGN
        }
    }
}

extension SandboxProfile.Needs {
    fileprivate var filter: clinux_needs { clinux_needs(rawValue: rawValue) }
}

/// Why the kernel does not confine a process.
struct SandboxFault: Error, Equatable {
    /// The system's reason, such as "Function not implemented".
    let reason: String

    /// The description of `errno`.
    init(code: Int32 = errno) { reason = String(cString: strerror(code)) }
}

/// How a process confined itself.
package struct SandboxReport: Sendable {
    /// The version of Landlock and what it limits, or why it limits nothing.
    var landlock: Result<(version: Int, limits: [String]), SandboxFault> = .success((0, []))
    /// Why system calls are not filtered; nil if they are.
    var filterFault: SandboxFault?
    /// How many threads there were before, which Landlock does not limit.
    var otherThreads = 0

    /// Whether Landlock limits the process.
    package var usesLandlock: Bool {
        if case .success(let (_, limits)) = landlock { !limits.isEmpty } else { false }
    }

    /// What confines the process; nil if nothing does.
    package var sentence: String? {
        var parts: [String] = []
        if case .success((let version, let limits)) = landlock, !limits.isEmpty, otherThreads == 0 {
            parts.append("Landlock (version \(version): \(limits.joined(separator: ", ")))")
        }
        if filterFault == nil { parts.append("a filter of system calls") }
        return parts.isEmpty ? nil : "confined by \(parts.joined(separator: " and "))"
    }

    /// A sentence for each part that the kernel does not offer.
    package var warnings: [String] {
        var warnings: [String] = []
        if otherThreads > 0 {
            warnings.append(
                "the sandbox's Landlock does not limit \(otherThreads) threads that were started before it; expected no "
                    + "library in LD_PRELOAD that starts threads")
        }
        if case .failure(let fault) = landlock {
            warnings.append(
                "the sandbox has no Landlock: \(fault.reason); expected Linux 5.13 or later that has it on, and a "
                    + "container that permits it, or sandbox: off")
        }
        if let filterFault {
            warnings.append(
                "the sandbox has no filter of system calls: \(filterFault.reason); expected Linux with seccomp filters "
                    + "on x86-64 or ARM64, or sandbox: off")
        }
        return warnings
    }
}
