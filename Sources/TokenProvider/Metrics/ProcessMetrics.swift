import Glibc
import SystemFiles

/// The metrics of this process that Prometheus' own libraries report (proc(5)); nil if the system does not have them.
struct ProcessMetrics {
    /// Nanoseconds of user and system together.
    let processorTime: Int64
    private(set) var virtualBytes: Int?
    private(set) var residentBytes: Int?
    /// The number of open descriptors.
    let descriptors: Int?

    init() {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        processorTime = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        descriptors = Self.openDescriptors()
        let text = (try? SystemFile(path: "/proc/self/statm").read(atMost: 256)) ?? []
        let pages = String(decoding: text, as: UTF8.self).split(separator: " ").prefix(2).compactMap { Int($0) }
        guard pages.count == 2 else { return }
        (virtualBytes, residentBytes) = (
            pages[0] * Int(sysconf(Int32(_SC_PAGESIZE))), pages[1] * Int(sysconf(Int32(_SC_PAGESIZE)))
        )
    }

    private static func openDescriptors() -> Int? {
        var status = stat()
        // Since Linux 6.2 the folder's size is this number, so that its names need not be read.
        if stat("/proc/self/fd", &status) == 0, status.st_size > 0 { return Int(status.st_size) }
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Without `.`, `..` and the descriptor that reads the folder.
        return max(0, count - 3)
    }
}
