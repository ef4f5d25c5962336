internal import Foundation
internal import MessageModel

/// All files and folders below a path.
///
/// It contains what an import would read: nothing hidden, and nothing behind links. Unfinished downloads
/// (`x.zip.part`) and files beside databases are left out.
package struct FolderScan {
  package private(set) var files: [FoundFile] = []
  /// The folders, the root first; empty if the root is a file.
  package private(set) var folders: [String] = []
  /// Folders that cannot be read, and why.
  package private(set) var obstacles: [(path: String, reason: String)] = []

  /// Walks through `root`.
  ///
  /// - Parameter book: The known logs: a log that was just rotated away may not exist again yet.
  /// - Complexity: O(files and folders).
  package init(
    _ root: String, knowing book: LogBook = LogBook()
  ) throws(InterchangeError) {
    var facts = stat()
    guard PathBytes.withBytes(of: root, { stat($0, &facts) }) == 0 else {
      throw InterchangeError(errno: errno, reading: root)
    }
    guard facts.st_mode & S_IFMT == S_IFDIR else {
      guard facts.st_mode & S_IFMT == S_IFREG else {
        throw InterchangeError(.unreadable, "cannot follow '\(root)'", cause: "it is not a regular file")
      }
      guard PathBytes.withBytes(of: root, { access($0, R_OK) }) == 0 else {
        throw InterchangeError(errno: errno, reading: root)
      }
      files = [FoundFile(at: root)]
      return
    }
    var open = [(path: root, components: FolderWalk.absoluteComponents(of: root))]
    while let folder = open.popLast() {
      guard let names = Self.names(in: folder.path) else {
        let error = InterchangeError(errno: errno, reading: folder.path)
        if folder.path == root { throw error }
        obstacles.append((folder.path, error.reason))
        continue
      }
      folders.append(folder.path)
      let present = Set(names.map(\.name))
      for (name, isFolder) in names {
        let path = folder.path.hasSuffix("/") ? folder.path + name : folder.path + "/" + name
        if isFolder {
          open.append((path, folder.components + [name]))
        } else {
          files.append(
            FoundFile(
              path: path, root: root, in: folder.components,
              of: book.log(of: path, beside: present.contains)))
        }
      }
    }
  }

  /// The files beside a log that it was rotated to.
  package static func files(beside log: FoundFile, knowing book: LogBook) -> [FoundFile] {
    let folder = PathNames.folderAndName(of: log.path).folder
    return (names(in: folder.isEmpty ? "." : folder) ?? []).filter { !$0.isFolder }.compactMap { name, _ in
      let owner = book.log(of: folder + name) { $0 == log.name }
      return owner == log.path ? log.rotated(to: folder + name) : nil
    }
  }

  private static func names(in folder: String) -> [(name: String, isFolder: Bool)]? {
    guard let listing = PathBytes.withBytes(of: folder, { opendir($0) }) else { return nil }
    defer { closedir(listing) }
    let parts = folder.split(separator: "/").map(String.init)
    var found: [(String, Bool)] = []
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { PathBytes.text($0) }
      }
      guard !isPassedOver(name, in: parts) else { continue }
      var kind = Int32(entry.pointee.d_type)
      if kind == Int32(DT_UNKNOWN) {
        var facts = stat()
        guard PathBytes.withBytes(of: folder + "/" + name, { lstat($0, &facts) }) == 0 else { continue }
        switch facts.st_mode & S_IFMT {
        case S_IFDIR: kind = Int32(DT_DIR)
        case S_IFREG: kind = Int32(DT_REG)
        default: continue
        }
      }
      if kind == Int32(DT_DIR) { found.append((name, true)) }
      if kind == Int32(DT_REG) { found.append((name, false)) }
    }
    return found.sorted { $0.0 < $1.0 }
  }

  private static let passing = [
    ".part", ".partial", ".crdownload", ".download", ".tmp", ".swp", "~", "-wal", "-shm", "-journal",
  ]

  /// Whether a name is hidden, of an unfinished file, or of a file beside a database.
  ///
  /// - Parameter folder: The path of its folder in parts, as far as it is known.
  package static func isPassedOver(_ name: String, in folder: [String] = []) -> Bool {
    PathNames.isHidden(name, in: folder) || passing.contains { name.hasSuffix($0) }
  }

  /// The database beside which a file of this name lies (`-wal`, `-shm`, `-journal`); `nil` for other names.
  package static func database(besideWhichLies name: String) -> String? {
    for suffix in ["-wal", "-shm", "-journal"] where name.hasSuffix(suffix) {
      return String(name.dropLast(suffix.count))
    }
    return nil
  }

  /// The log's name before it was rotated: `tea.log` for `tea.log.1`, `tea.log.2.gz` and `tea.log-20240501`;
  /// `nil` for other names.
  ///
  /// - Parameter exists: Whether a log of that name exists beside it or did.
  package static func log(of name: String, where exists: (String) -> Bool) -> String? {
    let plain = PathNames.withoutArchiveExtensions(name)
    return RotationSuffix.places(in: plain).map { String(plain[..<$0]) }.first(where: exists)
  }
}

/// A file found below a followed path.
package struct FoundFile: Hashable, Sendable {
  package let path: String
  /// The path the user gave: the file or a folder above it.
  package let root: String
  /// The path of the log before it was rotated to this file; `nil` for other files.
  package let log: String?
  /// The path that names and dates are read from, in parts: a rotated file's is that of its log.
  private let components: [String]

  /// `folder` is absolute, without links, in parts; `log` is the path of the log rotated to this file.
  init(path: String, root: String, in folder: [String], of log: String?) {
    self.path = path
    self.root = root
    self.log = log
    let (own, name) = PathNames.folderAndName(of: path)
    guard let log else {
      components = folder + [name]
      return
    }
    let (other, logName) = PathNames.folderAndName(of: log)
    components =
      (other == own ? folder : FolderWalk.absoluteComponents(of: other))
      + [logName + PathNames.archiveExtensions(of: name)]
  }

  /// Creates the file that the user named.
  package init(at path: String) {
    self.path = path
    root = path
    log = nil
    components = FolderWalk.absoluteComponents(of: path)
  }

  /// Its path without links.
  package var realPath: String { "/" + FolderWalk.absoluteComponents(of: path).joined(separator: "/") }

  package var name: String { PathNames.folderAndName(of: path).name }

  var entry: FolderEntry {
    FolderEntry(
      path: path, components: components, root: root, byteCount: FileFacts(of: path)?.byteCount ?? 0)
  }

  func rotated(to path: String) -> FoundFile {
    FoundFile(path: path, root: root, in: Array(components.dropLast()), of: self.path)
  }
}

/// How a file grows.
package enum FileNature: Hashable, Sendable {
  /// It is empty.
  case empty
  /// Programs append lines: reading continues where it stopped. Readers hold no record back.
  case lines
  /// It is another program's database: it is read again, from its new rows on where possible.
  case database
  /// It is an export, read when complete and again when it changes.
  case document
  /// It is a session in JSON or JSON Lines that its program rewrites at each change, read as soon as its
  /// brackets are balanced, without waiting until it rests.
  case session

  /// Inspects the beginning of a file.
  package init(of file: FoundFile, options: ImportOptions) throws(InterchangeError) {
    let producer = try FileProducer(path: file.path)
    let entry = file.entry
    let input = InputFile(
      path: file.path, components: entry.components, byteCount: producer.byteCount,
      source: ByteSource(producer))
    var sample = try FormatSample(input, columns: try ColumnMap(options.columns))
    guard !sample.bytes.isEmpty else {
      self = .empty
      return
    }
    if SQLiteFile.fits(sample) {
      self = .database
      return
    }
    guard case .other = sample.bytes.withUnsafeBytes(FileKind.init), !Self.isUTF16(sample.bytes) else {
      self = .document
      return
    }
    let format: (any ImportFormat)?
    if let name = options.format {
      format = try ImportFormats.named(name, or: options.formats)
    } else {
      format = try ImportFormats.best(for: &sample, of: input, or: options.formats)
    }
    self = (format as? Format)?.nature ?? (format?.growsByLines == true ? .lines : .document)
  }

  private static func isUTF16(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
  }
}
