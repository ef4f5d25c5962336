internal import Foundation
internal import MessageModel

extension TelegramPageReader {
  static func isOfTelegram(_ sample: FormatSample) -> Bool {
    sample.has("class=\"page_wrap") && sample.has("class=\"page_header")
  }

  static func isCompanion(_ sample: FormatSample, _ companions: Companions) -> Bool {
    let folder = sample.folder
    if sample.name.hasSuffix(".html") {
      return isOfTelegram(sample) && !sample.has("class=\"history\"", inFirst: 65_536)
    }
    guard let last = folder.last, ["css", "js"].contains(last) else { return false }
    return ["messages.html", "export_results.html"].contains {
      companions.has($0, in: Array(folder.dropLast()))
    }
  }

  /// Whether the export also contains the page's messages as JSON.
  static func isRepeated(_ sample: FormatSample, _ companions: Companions) -> Bool {
    guard !sample.isFormatNamed, sample.name.hasPrefix("messages"), sample.name.hasSuffix(".html"),
      isOfTelegram(sample)
    else { return false }
    let folder = sample.folder
    let above = folder.count >= 2 && folder[folder.count - 2] == "chats" ? Array(folder.dropLast(2)) : folder
    return companions.has("result.json", in: above)
  }
}

/// The times on pages, `29.02.2024 10:00:00 UTC+01:00`, and days in words. The clock is the exporter's. The
/// offset, which newer versions add, is that of winter even in summer: it identifies the zone, and counts
/// only if the import's zone differs from it.
struct TelegramClock {
  private let zone: TimeZone
  private var days: LocalDays
  private(set) var day: Timestamp?

  init(zone: TimeZone) {
    self.zone = zone
    days = LocalDays(zone: zone)
  }

  /// Returns whether the text is a day.
  @discardableResult
  mutating func learnDay(_ text: String) -> Bool {
    guard case .time(let reading) = WrittenTime.read(text), reading.precision == .day else { return false }
    day = Timestamp(utc: reading.civil)
    return true
  }

  mutating func moment(_ written: String) -> Timestamp? {
    let words = written.split(separator: " ")
    guard words.count >= 2 else { return nil }
    let date = words[0].split(separator: ".").map { Int($0) ?? -1 }
    let time = words[1].split(separator: ":").map { Int($0) ?? -1 }
    guard date.count == 3, time.count == 3, (1...9_999).contains(date[2]) else { return nil }
    let civil = CivilTime(
      year: date[2], month: date[1], day: date[0], hour: time[0], minute: time[1], second: time[2])
    guard civil.isValid else { return nil }
    let asUTC = Timestamp(utc: civil)
    day = Timestamp(utc: CivilTime(year: date[2], month: date[1], day: date[0]))
    if words.count > 2, let offset = Self.offset(words[2]), !isOfZone(offset, near: asUTC) {
      return asUTC.advanced(byMilliseconds: -offset)
    }
    let number = civil.daysSince1970
    let ofDay = asUTC.millisecondsSince1970 - Int64(number) * 86_400_000
    return days.moment(day: number, milliseconds: ofDay)
  }

  /// `UTC+01:00`, in milliseconds.
  private static func offset(_ word: Substring) -> Int64? {
    guard word.hasPrefix("UTC") else { return nil }
    let rest = word.dropFirst(3)
    if rest.isEmpty { return 0 }
    let parts = rest.dropFirst().split(separator: ":").map { Int64($0) ?? -1 }
    guard let sign = rest.first, sign == "+" || sign == "-", (1...3).contains(parts.count),
      parts.allSatisfy({ (0...59).contains($0) })
    else { return nil }
    let minutes = parts[0] * 60 + (parts.count > 1 ? parts[1] : 0)
    return (sign == "-" ? -1 : 1) * minutes * 60_000
  }

  private func isOfZone(_ offset: Int64, near time: Timestamp) -> Bool {
    let date = Date(timeIntervalSince1970: Double(time.millisecondsSince1970) / 1_000)
    let winter = Double(zone.secondsFromGMT(for: date)) - zone.daylightSavingTimeOffset(for: date)
    return winter * 1_000 == Double(offset)
  }
}
