import ScrollbackKit

/// A chat server as a phone meets it: answers are lost, late or doubled, and times are corrected afterwards.
actor SlowServer {
  struct Item: Sendable {
    var number: Int
    var text: String
    var time: Timestamp
    /// By which its sender knows it again.
    var token: String?
  }

  struct LinkDown: Error {}

  private var items: [Item] { didSet { sorted = nil } }
  private var sorted: [Item]?
  /// What was written or corrected, in that order.
  private var events: [Int] = []
  private var tokens: [String: Int] = [:]
  private var random = SystemRandomNumberGenerator()
  private var isKind = false

  init(count: Int) {
    items = (0..<count).map { Item(number: $0, text: "message \($0)", time: Self.time($0)) }
  }

  private static func time(_ number: Int) -> Timestamp {
    Timestamp(millisecondsSince1970: 1_700_000_000_000 + Int64(number) * 1_000)
  }

  /// Has the link be as it should be from now on.
  func beKind() { isKind = true }

  /// All texts, in the order of the server.
  var texts: [String] { inOrder().map(\.text) }

  private func inOrder() -> [Item] {
    let order = sorted ?? items.sorted { $0.time < $1.time }
    sorted = order
    return order
  }

  /// The messages next to one, older or newer, oldest first; the newest without one.
  func page(_ edge: MessageWindow.Direction, of time: Timestamp?, limit: Int) async throws -> [Item] {
    try await travel()
    let all = inOrder()
    let answer: ArraySlice<Item>
    switch (edge, time) {
    case (.older, let time): answer = all.prefix { time == nil || $0.time < time! }.suffix(limit)
    case (.newer, let time): answer = all.drop { time != nil && $0.time <= time! }.prefix(limit)
    }
    try await travel()
    return Array(answer)
  }

  /// Writes a message; one whose token is known is not written again.
  func post(_ text: String, token: String) async throws -> Item {
    try await travel()
    if tokens[token] == nil {
      let number = items.count
      tokens[token] = number
      items.append(Item(number: number, text: text, time: Self.time(number), token: token))
      events.append(number)
      correct(number)
    }
    // The answer is lost, and the message is there.
    try await travel()
    return items[tokens[token] ?? 0]
  }

  /// What has happened since so many events, and how many there are then; now and then the last of them twice.
  func news(since count: Int) async throws -> (items: [Item], count: Int) {
    try await travel()
    let from = isKind || Bool.random(using: &random) ? count : max(count - 1, 0)
    return (events[min(from, events.count)...].map { items[$0] }, events.count)
  }

  /// Says of every third message that it was written half a second before another one.
  private func correct(_ number: Int) {
    guard number % 3 == 0 else { return }
    let other = Int.random(in: 0..<number, using: &random)
    let time = items[other].time.advanced(byMilliseconds: -500 + Int64(number % 400))
    items[number].time = items.contains { $0.time == time } ? items[number].time : time
    events.append(number)
  }

  private func travel() async throws {
    guard !isKind else { return }
    for _ in 0..<Int.random(in: 0...20, using: &random) { await Task.yield() }
    if Int.random(in: 0..<8, using: &random) == 0 { throw LinkDown() }
  }
}
