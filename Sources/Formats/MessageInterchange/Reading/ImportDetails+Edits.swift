internal import MessageModel

extension ImportDetails {
  /// Notes that a text was changed after it was written, and when, if a JSON value tells that: as ISO 8601 or as a
  /// count since 1970.
  ///
  /// - Parameter times: The reader of the message's time. An edit without a zone is in the zone of the import, later than the message.
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
