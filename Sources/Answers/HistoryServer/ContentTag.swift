internal import MessageModel

/// A tag of HTTP that is of the content alone, so that another version of the program has others.
struct ContentTag {
  /// The tag, in its quotes.
  let text: String

  init(_ content: [UInt8]) { self.init([content]) }

  init(_ contents: [[UInt8]]) {
    let hash = contents.reduce(FNVHash.start) { hash, content in
      content.withUnsafeBytes { FNVHash.of($0, after: hash) }
    }
    text = "\"\(String(hash, radix: 16))\""
  }
}
