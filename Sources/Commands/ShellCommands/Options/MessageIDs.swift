internal import ArgumentParser
internal import ChatSession
internal import MessageModel
internal import MessageStorage

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

/// The messages that a command changes, by their ids.
struct ChangedMessages: ParsableArguments {
  @Argument(help: ArgumentHelp("Ids of messages.", valueName: "id"))
  var ids: [String]

  @OptionGroup var common: CommonOptions

  /// Opens the store to be written to for as long as `change` takes, which may say what it has done.
  func change(
    in shell: Shell, _ change: (SynchronousMessageStore, [Message.ID], Console) throws -> Void
  ) throws -> ExitStatus {
    let ids = try MessageIDs.parsed(ids)
    return try common.change(in: shell) { store, console in try change(store, ids, console) }
  }
}
