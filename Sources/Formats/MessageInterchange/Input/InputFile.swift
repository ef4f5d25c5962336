/// One file with a history, in a folder, in an archive or at the end of a pipe.
///
/// UTF-16 is converted to UTF-8. The file is read once, from front to back, by a ``LineReader`` or
/// ``read(atMost:)``.
public final class InputFile {
  /// The path to show: `logs.tar.xz:perl6/2005/2005-02-26`.
  public let path: String
  /// The path in parts, from the outermost known folder to the file's name. Conversation names and dates are
  /// read from it. An archive counts as a folder.
  public let components: [String]
  /// Its size in bytes as stored, if known.
  public let byteCount: Int64?
  let source: ByteSource
  /// Its path on disk, for formats not read from front to back; `nil` in archives and pipes.
  public let diskPath: String?
  let root: String?
  let archive: String?
  let companions: Companions

  init(
    path: String, components: [String], byteCount: Int64?, source: ByteSource,
    companions: Companions = Companions(root: nil), diskPath: String? = nil, root: String? = nil,
    archive: String? = nil
  ) {
    self.root = root
    self.archive = archive
    self.diskPath = diskPath
    self.companions = companions
    self.path = path
    self.components = components
    self.byteCount = byteCount
    self.source = source
  }

  /// Its name without folders.
  public var name: String { components.last ?? path }

  var folder: [String] { Array(components.dropLast()) }

  static let previewByteCount = 4 << 20

  /// The content to inspect before reading: all of a file on disk, the beginning of any other; `nil` if
  /// unreadable.
  func preview() -> ByteSource? {
    if let path = diskPath, let producer = try? FileProducer(path: path) { return ByteSource(producer) }
    guard let start = try? source.peek(Self.previewByteCount) else { return nil }
    return ByteSource(MemoryProducer(Array(start)))
  }

  /// Reads the next bytes.
  ///
  /// - Parameter count: The most bytes to return, at least 1.
  /// - Returns: Fewer than `count` bytes only before the end, and none at the end.
  /// - Throws: ``InterchangeError`` if the file cannot be read further.
  public func read(atMost count: Int) throws(InterchangeError) -> [UInt8] {
    let bytes = Array(try source.peek(max(count, 1)))
    source.consume(bytes.count)
    return bytes
  }
}
