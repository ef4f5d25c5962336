/// A file found below a followed path.
package struct FoundFile: Hashable, Sendable {
  package let path: String
  /// The path the user gave: the file or a folder above it.
  package let root: String
  /// The path of the log before it was rotated to this file; `nil` for other files.
  package let log: String?
  /// The path that names and dates are read from, in parts: a rotated file's is that of its log.
  private let components: [String]

  /// - Parameters:
  ///   - folder: The folder's absolute path without links, in parts.
  ///   - log: The path of the log that was rotated to this file.
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
  /// Programs append lines: reading continues where it stopped.
  case lines
  /// It is another program's database: it is read again, from its new rows on where possible.
  case database
  /// It is an export, read when complete and again when it changes.
  case document
  /// It is a session that its program rewrites at each change, read as soon as it is complete.
  case session

  /// Inspects the beginning of a file.
  package init(of file: FoundFile, options: ImportOptions) throws(InterchangeError) {
    let producer = try FileProducer(path: file.path)
    let entry = file.entry
    let input = InputFile(
      path: file.path, components: entry.components, byteCount: producer.byteCount,
      source: ByteSource(producer))
    let sample = try FormatSample(input, columns: try ColumnMap(options.columns))
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
    let format =
      try options.format.map { name throws(InterchangeError) in
        try ImportFormats.named(name, or: options.formats)
      } ?? ImportFormats.best(for: sample, or: options.formats)
    self = format is any GrowingFormat ? .lines : format is any RewrittenFormat ? .session : .document
  }

  private static func isUTF16(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
  }
}
