import Foundation

#if os(Linux)
  /// A disk of a few megabytes. Only root can have one; tests that need it are skipped without.
  final class SmallDisk {
    let path: String
    private var filling: String { path + "/filling" }

    /// Whether there can be one here.
    static let isAvailable = getuid() == 0 && (try? SmallDisk(megabytes: 1)) != nil

    private struct Refused: Error {}

    init(megabytes: Int) throws {
      path =
        FileManager.default.temporaryDirectory.appendingPathComponent(
          "scrollback-disk-\(UUID().uuidString)"
        ).path
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      guard Self.run("mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "none", path) else {
        rmdir(path)
        throw Refused()
      }
    }

    deinit {
      _ = Self.run("umount", "-l", path)
      rmdir(path)
    }

    private static func run(_ words: String...) -> Bool {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = words
      process.standardError = FileHandle.nullDevice
      guard (try? process.run()) != nil else { return false }
      process.waitUntilExit()
      return process.terminationStatus == 0
    }

    /// Fills the disk up but for some bytes.
    func fill(leaving free: Int) throws {
      makeRoom()
      var facts = statvfs()
      statvfs(path, &facts)
      let count = Int(facts.f_bavail) * Int(facts.f_frsize) - free
      guard FileManager.default.createFile(atPath: filling, contents: Data(count: max(0, count))) else {
        throw Refused()
      }
    }

    /// Takes the filling away.
    func makeRoom() { unlink(filling) }
  }
#endif
