internal import MessageModel

/// A text too long for a message, which keeps its beginning and has the whole attached.
struct LongText {
  let previewByteCount: Int
  let content: StagedContent

  static let name = "message.txt"

  /// `nil` unless the text is too long.
  init?(_ text: UnsafeRawBufferPointer, for store: SynchronousMessageStore, doing: String) throws(StoreError)
  {
    guard text.count > SynchronousMessageStore.maxTextByteCount else { return nil }
    let intake = store.beginContent(doing: doing)
    try intake.write(text)
    content = try intake.finish(claimedType: "text/plain")
    previewByteCount = MessageWriter.preview(of: text, limit: store.options.previewByteCount).count
  }

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
