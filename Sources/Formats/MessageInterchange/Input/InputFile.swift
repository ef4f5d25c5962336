internal import Foundation
internal import MessageModel

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

  /// The content to inspect before reading: all of a file on disk, the beginning of any other.
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

/// The folders in which files named by a history may lie: its own, and those above it up to the path the user
/// gave.
///
/// Nothing outside is ever opened, whatever a history names and wherever links lead.
public struct FileSurroundings: Hashable, Sendable {
  /// The archive that contains the history; `nil` if it lies in a folder.
  public let archive: String?
  private let folder: [String]
  /// The number of these parts above the path the user gave.
  private let outerCount: Int

  init?(_ file: InputFile) {
    archive = file.archive
    folder = file.components.dropLast()
    guard archive == nil else {
      outerCount = 1
      return
    }
    guard file.diskPath != nil, let root = file.root else { return nil }
    let isFolder = Self.isFolder(root)
    outerCount = isFolder ? Self.absolute(root).split(separator: "/").count : folder.count
  }

  var folderParts: [String] { folder }

  /// The places where a file that the history calls `path` may lie, nearest first, as ``ArchivedFiles`` names
  /// them. Places outside the user's path are omitted.
  public func places(of path: String) -> [String] {
    let parts = path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).map(String.init)
    guard !parts.isEmpty, !parts.contains(".."), !parts.contains(where: { $0.utf8.contains(0) }) else {
      return []
    }
    let inner = parts.filter { $0 != "." }
    let least = min(max(outerCount, 1), folder.count)
    return (least...folder.count).reversed().map { (folder[..<$0] + inner).joined(separator: "/") }
  }

  /// The path on disk of a file that the history calls `path`; `nil` if it does not exist, is not a regular
  /// file, or a link leads outside the user's path.
  public func file(_ path: String) -> String? {
    let top = "/" + folder[..<min(outerCount, folder.count)].joined(separator: "/")
    for place in places(of: path) {
      let real = Self.absolute("/" + place)
      guard real.hasPrefix(top == "/" ? "/" : top + "/") else { continue }
      var facts = stat()
      if PathBytes.withBytes(of: real, { stat($0, &facts) }) == 0, facts.st_mode & S_IFMT == S_IFREG {
        return real
      }
    }
    return nil
  }

  static func isFolder(_ path: String) -> Bool {
    var facts = stat()
    return PathBytes.withBytes(of: path) { stat($0, &facts) } == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }

  private static func absolute(_ path: String) -> String {
    guard let real = PathBytes.withBytes(of: path, { realpath($0, nil) }) else { return path }
    defer { free(real) }
    return PathBytes.text(real)
  }
}

/// Reads selected files of an archive.
public enum ArchivedFiles {
  /// Calls `body` with each wanted file of an archive, in the archive's order, and a function that returns
  /// the next piece of that file, empty at its end.
  ///
  /// - Parameters:
  ///   - archive: The archive's path, as the user gave it.
  ///   - isWanted: Whether to read the file at a place, as ``FileSurroundings/places(of:)`` names it.
  ///   - body: Takes the file's place and the function that reads on in it.
  /// - Throws: ``InterchangeError`` if the archive cannot be read, and whatever `body` throws.
  public static func forEach(
    in archive: String, where isWanted: @escaping (String) -> Bool,
    _ body: (_ place: String, _ next: () throws -> [UInt8]) throws -> Void
  ) throws {
    var walker = try InputWalker([archive], isWhole: { isWanted($0.joined(separator: "/")) })
    while true {
      switch walker.next() {
      case .end: return
      case .unreadable: continue
      case .file(let file):
        let place = file.components.joined(separator: "/")
        guard isWanted(place) else { continue }
        try body(place) {
          if file.source.buffered.isEmpty { _ = try file.source.fill() }
          let piece = Array(file.source.buffered)
          file.source.consume(piece.count)
          return piece
        }
      }
    }
  }
}
