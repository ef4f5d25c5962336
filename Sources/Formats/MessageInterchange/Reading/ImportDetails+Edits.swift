internal import MessageModel

extension ImportDetails {
  /// Marks the text as edited and reads the time of the edit from ISO 8601 or a count since 1970.
  ///
  /// - Parameter times: The reader of the message's time. An edit without a zone is in the import's zone and
  ///   later than the message.
  mutating func noteEdit(_ value: Bytes?, after times: LooseTime) {
    guard let value else { return }
    isEdited = true
    var scanner = JSONScanner(value)
    var times = times.behind
    let written = (try? scanner.kind()) == .string ? try? scanner.string().string() : nil
    if var written {
      editedAt = written.withUTF8 { times.read(Bytes($0))?.time }
    } else {
      editedAt = times.read(value)?.time
    }
  }
}
