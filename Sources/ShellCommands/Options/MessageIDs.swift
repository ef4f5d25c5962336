internal import ChatSession
internal import MessageModel

/// Ids of messages as they are typed: `#7022857543691537` or without the sign.
enum MessageIDs {
  /// Returns the ids.
  ///
  /// - Throws: ``UsageError`` that names the first one that is none.
  static func parsed(_ words: [String]) throws -> [Message.ID] {
    try words.map { word in
      if let id = Message.ID(word.hasPrefix("#") ? String(word.dropFirst()) : word) { return id }
      throw UsageError(
        "'\(VisibleText.of(word))' is not a message id", remedy: "#ID, as `export` and the window show it")
    }
  }
}
