/// A file that was found in what is followed.
package struct FoundFile: Hashable, Sendable {
  /// Its path.
  package let path: String
  /// The path that was named to find it: its own, or that of a folder above it.
  package let root: String
  /// The path of the log that it was before it was rotated away; `nil` if it has its own name.
  package let log: String?
  /// The place that names and dates are read from, in parts: its own or, where a log was rotated away, that of the log.
  private let components: [String]

  /// Creates a file in a folder of `root`.
  ///
  /// - Parameters:
  ///   - folder: The absolute path of the folder without links, in parts.
  ///   - log: The path of the log that it was before it was rotated away, if it was one.
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

  /// Creates the file that was named itself.
  package init(at path: String) {
    self.path = path
    root = path
    log = nil
    components = FolderWalk.absoluteComponents(of: path)
  }

  /// Its path without links.
  package var realPath: String { "/" + FolderWalk.absoluteComponents(of: path).joined(separator: "/") }

  /// Its own name.
  package var name: String { PathNames.folderAndName(of: path).name }

  var entry: FolderEntry {
    FolderEntry(
      path: path, components: components, root: root, byteCount: FileFacts(of: path)?.byteCount ?? 0)
  }

  /// Returns a file beside it which is what was rotated away of it.
  func rotated(to path: String) -> FoundFile {
    FoundFile(path: path, root: root, in: Array(components.dropLast()), of: self.path)
  }
}

/// The way in which a file comes to have more in it.
package enum FileNature: Hashable, Sendable {
  /// There is nothing in it yet.
  case empty
  /// Programs add lines to it: it is read on from where it was left.
  case lines
  /// It is a database of another program: it is read again, for its news where they can be told.
  case database
  /// It is an export, which is read when it is whole, and again if it changes.
  case document
  /// It is a session that its program writes anew at each change: it is read as soon as it is whole.
  case session

  /// Looks at the beginning of a file.
  ///
  /// - Throws: ``InterchangeError`` if it cannot be read, or the options name a format that is not known.
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
