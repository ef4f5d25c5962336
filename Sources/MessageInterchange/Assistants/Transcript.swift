internal import MessageModel

/// A file with an object of JSON a line, as assistants write down a session.
struct Transcript {
  private let file: InputFile

  /// So many bytes of a file in an archive or pipe are looked at: such a one is read once.
  private static let peekByteCount = 4 << 20

  init(_ file: InputFile) { self.file = file }

  /// Looks at its objects before its messages are read. What is wrong with a line is said when its message is read.
  ///
  /// - Returns: Whether it was looked at to its end.
  func look(_ body: (JSONFields) throws(JSONError) -> Void) -> Bool {
    if let path = file.diskPath, let producer = try? FileProducer(path: path) {
      Self.read(ByteSource(producer), body)
      return true
    }
    guard let start = try? file.source.peek(Self.peekByteCount) else { return false }
    Self.read(ByteSource(MemoryProducer(Array(start))), body)
    return start.count < Self.peekByteCount
  }

  private static func read(_ source: ByteSource, _ body: (JSONFields) throws(JSONError) -> Void) {
    var lines = LineReader(source)
    while let next = try? lines.next() {
      switch next {
      case .end: return
      case .overlong: continue
      case .line(let line):
        guard UTF8Check.isValid(line), let fields = JSONFields(line) else { continue }
        try? body(fields)
      }
    }
  }
}
