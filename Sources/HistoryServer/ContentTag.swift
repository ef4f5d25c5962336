/// A tag of HTTP that is of the content alone, so that another version of the program has others: FNV-1a of 64 bits.
struct ContentTag {
  /// The tag, in its quotes.
  let text: String

  init(_ contents: [UInt8]...) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for content in contents { for byte in content { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 } }
    text = "\"\(String(hash, radix: 16))\""
  }
}
