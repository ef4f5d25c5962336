internal import MessageModel

/// The years of the neighbouring mails, to detect impossible years.
///
/// Clocks that were never set, two-digit years and archives that guess put single mails a century away.
struct MailNeighbours {
  /// Enough mails that a single wrong one does not count.
  private static let count = 5
  /// The most years between mails of a file.
  private static let farthest = 75
  /// The most years between a mail and its neighbours after its century is corrected.
  private static let nearest = 1

  private var years: [Int] = []

  init(_ sample: Bytes) {
    var position = 0
    while years.count < Self.count, let found = sample.position(of: "\nDate: ", from: position) {
      let start = found + 7
      position = sample.position(of: 0x0A, from: start) ?? sample.count
      if let time = MailDate.read(sample.dropping(start).first(position - start).string) { add(time) }
    }
  }

  mutating func add(_ time: Timestamp) {
    years.append(time.utc.year)
    if years.count > Self.count { years.removeFirst() }
  }

  /// The first of a mail's times, unless it is a century away from its neighbours; `nil` if there is none.
  func best(of claims: [Timestamp]) -> Timestamp? {
    guard let first = claims.first, let year = typicalYear ?? claims.dropFirst().first?.utc.year else {
      return claims.first
    }
    func isWithin(_ distance: Int, _ time: Timestamp) -> Bool { abs(time.utc.year - year) <= distance }
    if isWithin(Self.farthest, first) { return first }
    let shifted = Self.moved(first, near: year)
    if let shifted, isWithin(Self.nearest, shifted) { return shifted }
    return claims.first { isWithin(Self.farthest, $0) } ?? shifted ?? first
  }

  private var typicalYear: Int? { years.count >= 3 ? years.sorted()[years.count / 2] : nil }

  /// The same day and time in the century nearest to `year`.
  private static func moved(_ time: Timestamp, near year: Int) -> Timestamp? {
    var civil = time.utc
    civil.year += Int((Double(year - civil.year) / 100).rounded()) * 100
    return civil.isValid ? Timestamp(utc: civil) : nil
  }
}
