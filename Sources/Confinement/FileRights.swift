/// Rights of files, with the bits of Landlock (linux/landlock.h: LANDLOCK_ACCESS_FS_…).
package struct FileRights: OptionSet, Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    static let writeFile = FileRights(rawValue: 1 << 1)
    static let readFile = FileRights(rawValue: 1 << 2)
    static let readFolder = FileRights(rawValue: 1 << 3)
    static let removeFile = FileRights(rawValue: 1 << 5)
    static let makeFile = FileRights(rawValue: 1 << 8)
    static let makeSocket = FileRights(rawValue: 1 << 9)
    static let truncate = FileRights(rawValue: 1 << 14)

    /// To read files and list folders.
    package static let read: FileRights = [.readFile, .readFolder]
    /// To create files, read and write them.
    package static let write: FileRights = [.read, .writeFile, .makeFile, .truncate]
    /// To create and remove the files of unix sockets.
    package static let listen: FileRights = [.makeSocket, .removeFile]

    /// Those of a file; the others are rights of folders.
    static let ofFiles: FileRights = [.readFile, .writeFile, .truncate]

    /// To write files that exist.
    static let change: FileRights = [.writeFile, .truncate]

    /// All that a version of Landlock can limit (landlock(7), "Landlock features").
    static func known(to version: Int) -> FileRights {
        let count =
            switch version {
            case ...1: 13
            case 2: 14
            case 3, 4: 15
            default: 16
            }
        return FileRights(rawValue: 1 << count - 1)
    }
}
