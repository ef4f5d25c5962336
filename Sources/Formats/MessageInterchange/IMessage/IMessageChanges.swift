internal import Foundation
internal import MessageModel

/// The changes of a message, as Messages notes them (`message_summary_info`): the texts that its parts had.
struct IMessageChanges {
  /// The texts of each part, by when they were written; the last one is the present.
  private var parts: [[Message.Edit]] = []
  /// Whether parts were taken back.
  private(set) var isUnsent = false

  /// Reads the list of properties that holds them; what is damaged is as if it were not there.
  init(_ bytes: Bytes) {
    guard let summary = PropertyList.read(bytes) as? [String: Any] else { return }
    isUnsent = (summary["rp"] as? [Any])?.isEmpty == false
    guard let parts = summary["ec"] as? [String: Any] else { return }
    for key in parts.keys.sorted() {
      self.parts.append((parts[key] as? [[String: Any]] ?? []).compactMap(Self.text))
    }
  }

  /// Of a message that has one part, the texts before the present one, each with the time at which it was replaced.
  func earlierTexts() -> [Message.Edit] {
    guard parts.count == 1, let texts = parts.first, texts.count > 1 else { return [] }
    return zip(texts, texts.dropFirst()).map { Message.Edit(time: $1.time, text: $0.text) }
  }

  /// The text that a part had (`t` is its body), and since when (`d`, counted from 2001).
  private static func text(_ event: [String: Any]) -> Message.Edit? {
    guard let body = event["t"] as? Data, let date = number(event["d"]),
      let text = body.withUnsafeBytes({ IMessageText.text(of: $0) })
    else { return nil }
    // Seconds as a rule; columns of the same database count nanoseconds.
    let seconds = abs(date) < 100_000_000_000 ? date : date / 1_000_000_000
    guard let milliseconds = Int64(exactly: (seconds * 1_000).rounded()) else { return nil }
    return Message.Edit(
      time: Timestamp(millisecondsSince1970: milliseconds + 978_307_200_000), text: text)
  }

  private static func number(_ value: Any?) -> Double? {
    if let date = value as? Date { return date.timeIntervalSinceReferenceDate }
    return value as? Double ?? (value as? Int).map(Double.init)
  }
}
