internal import MessageModel

extension InputFile {
  /// The most bytes of such a file that are looked at.
  private static let longestFacts = 1 << 20

  /// Returns what stands in the file called `name` beside this one on the disk, or in a folder above it, in which a program says
  /// something of a session; `nil` if there is none.
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
