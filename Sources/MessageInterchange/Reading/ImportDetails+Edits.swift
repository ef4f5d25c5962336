internal import MessageModel

extension ImportDetails {
  /// Notes that a text was changed after it was written, and when, if a JSON value tells that: as ISO 8601 or as a
  /// count since 1970.
  ///
  /// - Parameter times: What has read the time of the message: a time without a zone is one behind that, in the zone of the import.
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
