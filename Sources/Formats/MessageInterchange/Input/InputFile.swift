/// One file with a history in it, wherever it lies: in a folder, in an archive, at the end of a pipe.
///
/// What is UTF-16 is handed over as UTF-8. It is read once, from front to back: by a ``LineReader`` or ``read(atMost:)``.
public final class InputFile {
  /// Its path for people: `logs.tar.xz:perl6/2005/2005-02-26`.
  public let path: String
  /// Its place, from the outermost folder known to its own name; what names and dates are read from. An archive counts
  /// as the folder of what is in it.
  public let components: [String]
  /// Its size in bytes as it lies there, if it is known.
  public let byteCount: Int64?
  /// Its content.
  let source: ByteSource
  /// Its path on the disk, for formats that are not read from front to back; `nil` in archives and pipes.
  public let diskPath: String?
  /// The path that the user named to get it.
  let root: String?
  /// The archive that it lies in, where several lie in each other the outermost; `nil` if in none.
  let archive: String?
  /// The files beside it.
  let companions: Companions

  /// Creates a file over an opened source.
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

  /// Its own name, without folders.
  public var name: String { components.last ?? path }

  /// The folders that it lies in.
  var folder: [String] { Array(components.dropLast()) }

  /// The bytes of a file in an archive or a pipe that are looked at before it is read: such a one is read once.
  static let previewByteCount = 4 << 20

  /// Returns the content to be looked through before it is read: all of a file on the disk, the beginning of others. `nil` if it
  /// cannot be read.
  func preview() -> ByteSource? {
    if let path = diskPath, let producer = try? FileProducer(path: path) { return ByteSource(producer) }
    guard let start = try? source.peek(Self.previewByteCount) else { return nil }
    return ByteSource(MemoryProducer(Array(start)))
  }

  /// Reads on.
  ///
  /// - Parameter count: The most bytes to return, at least 1.
  /// - Returns: The next bytes, fewer than `count` only before the end, and none at the end.
  /// - Throws: ``InterchangeError`` if it cannot be read any further.
  public func read(atMost count: Int) throws(InterchangeError) -> [UInt8] {
    let bytes = Array(try source.peek(max(count, 1)))
    source.consume(bytes.count)
    return bytes
  }
}
