internal import MessageModel

/// A text that is too long for a message: the message keeps its beginning, and the whole is attached to it.
struct LongText {
  /// The number of bytes at the beginning that the message keeps.
  let previewByteCount: Int
  let content: StagedContent

  /// The name of the attachment.
  static let name = "message.txt"

  /// Takes a text in; `nil` if it is not too long.
  init?(_ text: UnsafeRawBufferPointer, for store: SynchronousMessageStore, doing: String) throws(StoreError)
  {
    guard text.count > SynchronousMessageStore.maxTextByteCount else { return nil }
    let intake = store.beginContent(doing: doing)
    try intake.write(text)
    content = try intake.finish(claimedType: "text/plain")
    previewByteCount = MessageWriter.preview(of: text, limit: store.options.previewByteCount).count
  }

  /// Takes a text in; `nil` if it is not too long.
  init?(_ text: String, for store: SynchronousMessageStore, doing: String) throws(StoreError) {
    guard text.utf8.count > SynchronousMessageStore.maxTextByteCount else { return nil }
    var text = text
    let result = text.withUTF8 { utf8 in
      Result<LongText?, StoreError> { () throws(StoreError) in
        try LongText(UnsafeRawBufferPointer(utf8), for: store, doing: doing)
      }
    }
    guard let made = try result.get() else { return nil }
    self = made
  }

  var item: Attacher.Item { Attacher.Item(name: Self.name, content: content) }
}
