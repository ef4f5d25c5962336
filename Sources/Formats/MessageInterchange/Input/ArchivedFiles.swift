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
