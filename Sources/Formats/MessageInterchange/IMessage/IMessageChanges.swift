internal import Foundation
internal import MessageModel

/// A message's edit history (`message_summary_info`): the earlier texts of its parts.
struct IMessageChanges {
  /// Each part's texts in order; the last one is current.
  private var parts: [[Message.Edit]] = []
  private(set) var isUnsent = false

  /// A damaged property list counts as missing.
  init(_ bytes: Bytes) {
    guard let summary = PropertyList.read(bytes) as? [String: Any] else { return }
    isUnsent = (summary["rp"] as? [Any])?.isEmpty == false
    guard let parts = summary["ec"] as? [String: Any] else { return }
    for key in parts.keys.sorted() {
      self.parts.append((parts[key] as? [[String: Any]] ?? []).compactMap(Self.text))
    }
  }

  func earlierTexts() -> [Message.Edit] {
    guard parts.count == 1, let texts = parts.first, texts.count > 1 else { return [] }
    return zip(texts, texts.dropFirst()).map { Message.Edit(time: $1.time, text: $0.text) }
  }

  /// `t` is the text's body, `d` its time since 2001.
  private static func text(_ event: [String: Any]) -> Message.Edit? {
    guard let body = event["t"] as? Data, let date = number(event["d"]),
      let text = body.withUnsafeBytes({ IMessageText.text(of: $0) })
    else { return nil }
    // Usually seconds; other columns of the database count nanoseconds.
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
