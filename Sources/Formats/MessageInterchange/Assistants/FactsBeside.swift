internal import MessageModel

extension InputFile {
  private static let longestFacts = 1 << 20

  /// The content of the file `name` beside this one on disk, or in a folder above, in which a program
  /// describes the session; `nil` if there is none.
  func facts(in name: String) -> [UInt8]? {
    guard let path = FileSurroundings(self)?.file(name), let producer = try? FileProducer(path: path) else {
      return nil
    }
    let source = ByteSource(producer)
    guard let bytes = try? source.peek(Self.longestFacts), UTF8Check.isValid(bytes) else { return nil }
    let facts = Array(bytes)
    source.consume(bytes.count)
    return facts
  }
}
