import Foundation
import MessageSourceTesting
import TestSupport

/// A disk under the changes of a trace, from which the power is taken.
///
/// What is modelled is a file system that keeps a journal of names, as ext4 and XFS do, and promises no more than POSIX:
/// - the contents of a file are there once it was synced; of what came later any part may be: any of the writes, and of
///   each any sectors of 512 bytes;
/// - changes of names are there once a folder that they concern was synced, with all changes of names before them; of
///   later ones the first few, in their order. To sync a file does not keep its name.
struct LostPower {
  /// A file, whatever its names: what is on the disk, and what was done to it since.
  private final class File {
    let inode: UInt64
    var bytes: [UInt8]
    var pending: [Change] = []

    init(_ inode: UInt64, _ bytes: [UInt8] = []) { (self.inode, self.bytes) = (inode, bytes) }
  }

  private enum Change {
    case write(Int, ArraySlice<UInt8>)
    case truncate(Int)
  }

  private enum NameChange {
    case make(String, File)
    case makeFolder(String)
    case rename(String, String)
    case exchange(String, String)
    case link(String, String)
    case remove(String)

    var paths: [String] {
      switch self {
      case .make(let path, _), .makeFolder(let path), .remove(let path): [path]
      case .rename(let one, let other), .exchange(let one, let other), .link(let one, let other):
        [one, other]
      }
    }
  }

  /// The names: files, and folders as nil.
  private typealias Names = [String: File?]

  private var names: Names = [:]
  private var pendingNames: [NameChange] = []
  /// The files by the numbers that they have at this moment of the trace.
  private var files: [UInt64: File] = [:]

  /// Creates a disk on which a folder lies, all of it synced, as the trace calls it.
  ///
  /// - Parameter inodes: The numbers that the files had as the trace was made.
  init(holding folder: String, as root: String, inodes: [String: UInt64]) throws {
    let all = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
    for name in all.sorted() {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder) else {
        continue
      }
      if isFolder.boolValue {
        names["\(root)/\(name)"] = .some(nil)
      } else {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
        let file = File(inodes[name] ?? 0, bytes)
        names["\(root)/\(name)"] = file
        files[file.inode] = file
      }
    }
  }

  /// Lets changes happen.
  mutating func perform(_ events: some Sequence<DiskTrace.Event>) {
    for event in events { perform(event) }
  }

  private mutating func perform(_ event: DiskTrace.Event) {
    switch event {
    case .write(let inode, let offset, let bytes): files[inode]?.pending.append(.write(offset, bytes))
    case .truncate(let inode, let length): files[inode]?.pending.append(.truncate(length))
    case .sync(let inode):
      guard let file = files[inode] else { return }
      for change in file.pending { Self.apply(change, to: &file.bytes) }
      file.pending = []
    case .syncFolder(let path):
      let last = pendingNames.lastIndex { $0.paths.contains { Self.folder(of: $0) == path } }
      guard let last else { return }
      for change in pendingNames[...last] { Self.apply(change, to: &names) }
      pendingNames.removeSubrange(...last)
    case .make(let path, let inode):
      let file = File(inode)
      files[inode] = file
      pendingNames.append(.make(path, file))
    case .makeFolder(let path): pendingNames.append(.makeFolder(path))
    case .rename(let path, let other): pendingNames.append(.rename(path, other))
    case .exchange(let path, let other): pendingNames.append(.exchange(path, other))
    case .link(let path, let other): pendingNames.append(.link(path, other))
    case .unlink(let path), .removeFolder(let path): pendingNames.append(.remove(path))
    case .say: break
    }
  }

  private static func folder(of path: String) -> String { (path as NSString).deletingLastPathComponent }

  private static func apply(_ change: Change, to bytes: inout [UInt8]) {
    switch change {
    case .truncate(let length):
      if length < bytes.count { bytes.removeLast(bytes.count - length) }
      bytes += repeatElement(0, count: length - bytes.count)
    case .write(let offset, let data):
      if offset + data.count > bytes.count {
        bytes += repeatElement(0, count: offset + data.count - bytes.count)
      }
      bytes.replaceSubrange(offset..<offset + data.count, with: data)
    }
  }

  private static func apply(_ change: NameChange, to names: inout Names) {
    switch change {
    case .make(let path, let file): names[path] = file
    case .makeFolder(let path): names[path] = .some(nil)
    case .rename(let path, let other): if let file = names.removeValue(forKey: path) { names[other] = file }
    case .link(let path, let other): if let file = names[path] { names[other] = file }
    case .remove(let path): names.removeValue(forKey: path)
    case .exchange(let path, let other):
      let one = names[path]
      names[path] = names[other]
      names[other] = one
    }
  }

  // MARK: What is left

  /// Writes what a cut at this moment could leave to a folder.
  ///
  /// - Returns: A word for what was lost.
  func leave(in folder: String, root: String, _ dice: inout SeededGenerator) throws -> String {
    var names = names
    let kept = Self.choice(of: pendingNames.count, &dice)
    for change in pendingNames[..<kept] { Self.apply(change, to: &names) }
    var lost = "names \(kept)/\(pendingNames.count)"
    var places: [(path: String, file: File)] = []
    for (path, file) in names.sorted(by: { $0.key < $1.key }) {
      let place = folder + path.dropFirst(root.count)
      guard let file else {
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        continue
      }
      // The memory that openers share is gone with the power.
      if !path.hasSuffix("-shm") { places.append((place, file)) }
    }
    var written: [ObjectIdentifier: String] = [:]
    for (place, file) in places {
      try FileManager.default.createDirectory(
        atPath: Self.folder(of: place), withIntermediateDirectories: true)
      if let first = written[ObjectIdentifier(file)] {
        link(first, place)
        continue
      }
      let (bytes, words) = Self.remains(of: file, &dice)
      if !file.pending.isEmpty { lost += ", \((place as NSString).lastPathComponent) \(words)" }
      try Data(bytes).write(to: URL(fileURLWithPath: place))
      chmod(place, 0o600)
      written[ObjectIdentifier(file)] = place
    }
    try renameLogs(places)
    return lost
  }

  /// A log that a restore has moved aside bears the number of the file it belongs to; here that has another one.
  private func renameLogs(_ places: [(path: String, file: File)]) throws {
    for (path, _) in places {
      guard let mark = path.range(of: "-log-", options: .backwards),
        let old = UInt64(path[mark.upperBound...]),
        let owner = places.first(where: { $0.file.inode == old })
      else { continue }
      var facts = stat()
      guard stat(owner.path, &facts) == 0 else { continue }
      rename(path, "\(path[..<mark.upperBound])\(facts.st_ino)")
    }
  }

  private static func remains(of file: File, _ dice: inout SeededGenerator) -> (bytes: [UInt8], words: String)
  {
    var bytes = file.bytes
    let manner = Int.random(in: 0..<5, using: &dice)
    let first = choice(of: file.pending.count, &dice)
    var count = 0
    for (place, change) in file.pending.enumerated() {
      switch manner {
      case 0: continue
      case 1: apply(change, to: &bytes)
      // The first few in their order, as a disk does that only stops.
      case 2: if place < first { apply(change, to: &bytes) } else { continue }
      case 3: if Bool.random(using: &dice) { apply(change, to: &bytes) } else { continue }
      default: applyTorn(change, to: &bytes, &dice)
      }
      count += 1
    }
    return (bytes, "\(count)/\(file.pending.count)\(manner == 4 ? " torn" : "")")
  }

  /// Does a part of a change: any sectors of what is written.
  private static func applyTorn(_ change: Change, to bytes: inout [UInt8], _ dice: inout SeededGenerator) {
    guard case .write(let offset, let data) = change else {
      if Bool.random(using: &dice) { apply(change, to: &bytes) }
      return
    }
    let end = offset + data.count
    var place = offset
    while place < end {
      let next = min(end, (place / 512 + 1) * 512)
      let part = data[data.startIndex + place - offset..<data.startIndex + next - offset]
      if Int.random(in: 0..<4, using: &dice) > 0 { apply(.write(place, part), to: &bytes) }
      place = next
    }
  }

  /// None, all, or any number of a few: the edges come often.
  private static func choice(of count: Int, _ dice: inout SeededGenerator) -> Int {
    switch Int.random(in: 0..<3, using: &dice) {
    case 0: 0
    case 1: count
    default: Int.random(in: 0...count, using: &dice)
    }
  }
}
