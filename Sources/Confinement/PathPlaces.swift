import Glibc
import SystemFiles

/// The places that must be allowed so that a file can be opened, also after it was replaced.
enum PathPlaces {
    /// The folder of the file, the folder of the target of each symbolic link on the way (Kubernetes, certbot), and the
    /// file itself, as real paths. Folders that hold all else are left out. With `linksMayChange`, a link to a folder may lead
    /// elsewhere later.
    static func leading(to path: String, linksMayChange: Bool = true) -> Set<String> {
        var found: Set<String> = []
        var rest = path.split(separator: "/").map(String.init)[...]
        var base = path.hasPrefix("/") ? "/" : "."
        var links = 0
        while let name = rest.popFirst() {
            let place = join(base, name)
            guard links < RealPath.maxLinks, let target = RealPath.target(of: place) else {
                if rest.isEmpty { found.formUnion([base, place].compactMap(real)) }
                base = place
                continue
            }
            links += 1
            if rest.isEmpty, let folder = real(base) { found.insert(folder) }
            let names = target.split(separator: "/").map(String.init)
            if target.hasPrefix("/") { base = "/" }
            let folder = names.dropLast().reduce(base, join)
            if linksMayChange || rest.isEmpty, let folder = real(folder) { found.insert(folder) }
            rest = names + rest
        }
        return found.filter { !isShared($0) }
    }

    /// Whether a folder is the root, of devices or of processes: no right of a file there may extend to all of it.
    private static func isShared(_ folder: String) -> Bool {
        ["/", "/dev", "/proc"].contains(folder) || folder.hasPrefix("/proc/")
    }

    static func join(_ folder: String, _ name: String) -> String {
        folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    }

    /// The names in a folder, except of links, whose targets have rights of their own, and of this file.
    static func entries(of folder: String, without file: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        let withheld = RealPath.status(of: file)
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            guard name != ".", name != "..", let found = RealPath.status(of: join(folder, name)) else { continue }
            // The file may have a second name here (link(2)).
            let isWithheld = found.st_dev == withheld?.st_dev && found.st_ino == withheld?.st_ino
            if found.st_mode & S_IFMT != S_IFLNK, !isWithheld { names.append(name) }
        }
        return names
    }

    /// Nil if the place does not exist.
    static func real(_ place: String) -> String? { RealPath.existing(place) }
}
