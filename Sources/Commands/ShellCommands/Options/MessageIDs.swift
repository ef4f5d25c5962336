internal import ArgumentParser
internal import ChatSession
internal import MessageModel
internal import MessageStorage

/// Message ids as typed, with or without `#`.
enum MessageIDs {
  static func parsed(_ words: [String]) throws -> [Message.ID] {
    try words.map { word in
      if let id = Message.ID(word.hasPrefix("#") ? String(word.dropFirst()) : word) { return id }
      throw UsageError(
        "'\(VisibleText.of(word))' is not a message id", remedy: "#ID, as `export` and the window show it")
    }
  }
}

struct ChangedMessages: ParsableArguments {
  @Argument(help: ArgumentHelp("Ids of messages.", valueName: "id"))
  var ids: [String]

  @OptionGroup var common: CommonOptions

  func change(
    in shell: Shell, _ change: (SynchronousMessageStore, [Message.ID], Console) throws -> Void
  ) throws -> ExitStatus {
    let ids = try MessageIDs.parsed(ids)
    return try common.change(in: shell) { store, console in try change(store, ids, console) }
  }
}
