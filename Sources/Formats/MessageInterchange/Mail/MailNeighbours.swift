internal import MessageModel

/// The mails of a file around the one that is read, by which a year is known that cannot be.
///
/// Clocks that were never set, two digits where four belong and archives that guess put single mails a century away.
struct MailNeighbours {
  /// The number of mails that tell what year it is about: enough that one which is wrong itself does not count.
  private static let count = 5
  /// The most years that the mails of a file may lie apart.
  private static let farthest = 75
  /// The most years between a year and its neighbours once its wrong century is put right.
  private static let nearest = 1

  private var years: [Int] = []

  /// Looks at the dates in the beginning of a file.
  init(_ sample: Bytes) {
    var position = 0
    while years.count < Self.count, let found = sample.position(of: "\nDate: ", from: position) {
      let start = found + 7
      position = sample.position(of: 0x0A, from: start) ?? sample.count
      if let time = MailDate.read(sample.dropping(start).first(position - start).string) { add(time) }
    }
  }

  /// Counts the time of a mail that was read.
  mutating func add(_ time: Timestamp) {
    years.append(time.utc.year)
    if years.count > Self.count { years.removeFirst() }
  }

  /// Returns the first of these times, which are what one mail says of its own, unless it is a century away from all
  /// that is known; `nil` if there is none.
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

  /// The year in the middle, if there are enough for one.
  private var typicalYear: Int? { years.count >= 3 ? years.sorted()[years.count / 2] : nil }

  /// The same day and time in the century that puts it nearest to `year`.
  private static func moved(_ time: Timestamp, near year: Int) -> Timestamp? {
    var civil = time.utc
    civil.year += Int((Double(year - civil.year) / 100).rounded()) * 100
    return civil.isValid ? Timestamp(utc: civil) : nil
  }
}
