internal import MessageModel

struct Transcript {
  private let file: InputFile?
  private let path: String?

  /// How much of a file in an archive or pipe is inspected, since it is read only once.
  private static let peekByteCount = 4 << 20

  init(_ file: InputFile) { (self.file, path) = (file, file.diskPath) }

  /// The file `name` on disk beside another; `nil` if there is none.
  init?(_ name: String, beside file: InputFile) {
    guard let path = FileSurroundings(file)?.file(name) else { return nil }
    (self.file, self.path) = (nil, path)
  }

  /// Visits the objects before the messages are read, ignoring bad lines; returns whether it reached the end.
  @discardableResult
  func look(_ body: (JSONFields) throws(JSONError) -> Void) -> Bool {
    guard let (source, isWhole) = opened() else { return false }
    let _: Never? = Self.first(in: source) { (fields) throws(JSONError) in
      try body(fields)
      return nil
    }
    return isWhole
  }

  func first<Found>(_ body: (JSONFields) throws(JSONError) -> Found?) -> Found? {
    opened().flatMap { Self.first(in: $0.source, body) }
  }

  private func opened() -> (source: ByteSource, isWhole: Bool)? {
    if let path, let producer = try? FileProducer(path: path) { return (ByteSource(producer), true) }
    guard let start = try? file?.source.peek(Self.peekByteCount) else { return nil }
    return (ByteSource(MemoryProducer(Array(start))), start.count < Self.peekByteCount)
  }

  private static func first<Found>(
    in source: ByteSource, _ body: (JSONFields) throws(JSONError) -> Found?
  ) -> Found? {
    var lines = LineReader(source)
    while let next = try? lines.next() {
      switch next {
      case .end: return nil
      case .overlong: continue
      case .line(let line):
        guard UTF8Check.isValid(line) else { continue }
        var rest = line
        while !rest.isBlank, let fields = try? JSONFields.taking(from: &rest) {
          if let found = (try? body(fields)) ?? nil { return found }
        }
      }
    }
    return nil
  }
}

extension InputFile {
  private static let longestFacts = 1 << 20

  /// The content of the file `name` beside this one on disk, or in a folder above; `nil` if there is none.
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
