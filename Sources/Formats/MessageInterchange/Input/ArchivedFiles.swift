/// A way through an archive for some of its files.
public enum ArchivedFiles {
  /// Calls `body` with each wanted file of an archive, in its order, and a function that returns the next piece of it,
  /// empty at the end.
  ///
  /// - Parameters:
  ///   - archive: The archive, as the user named it.
  ///   - isWanted: Whether a file is wanted, by its place as ``FileSurroundings/places(of:)`` tells it.
  ///   - body: Takes the place of a file, and a function that reads on in it.
  /// - Throws: ``InterchangeError`` if the archive cannot be read, and what `body` throws.
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
