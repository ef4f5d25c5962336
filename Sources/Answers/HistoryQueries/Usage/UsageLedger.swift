internal import Foundation
internal import MessageModel
internal import MessageStorage

/// Sums of tokens and costs; costs are in millionths of a US dollar.
struct UsageSum {
  private(set) var sent: Int64 = 0
  private(set) var cached: Int64 = 0
  private(set) var written: Int64 = 0
  private(set) var received: Int64 = 0
  private(set) var cost: Int64 = 0
  /// The part of the cost that no program wrote.
  private(set) var costByPrices: Int64 = 0
  /// The tokens without a cost.
  private(set) var unpriced: Int64 = 0
  /// Whether any cost is known.
  private(set) var isPriced = false

  /// - Parameter price: The price of tokens of which the program wrote no cost; `nil` if unknown.
  mutating func add(_ use: TokenUse, _ price: ModelPrice?) {
    let (sent, received) = (use.sent ?? 0, use.received ?? 0)
    self.sent = self.sent.adding(sent)
    self.received = self.received.adding(received)
    cached = cached.adding(use.cached ?? 0)
    written = written.adding(use.written ?? 0)
    if let written = use.cost {
      cost = cost.adding(written)
      isPriced = true
    } else if let price {
      let tokens = price.cost(of: use)
      cost = cost.adding(tokens)
      costByPrices = costByPrices.adding(tokens)
      isPriced = true
    } else {
      unpriced = unpriced.adding(sent).adding(received)
    }
  }
}

/// Sums by a property.
struct UsageLedger {
  private let grouping: UsageGrouping
  private let prices: PriceTable
  private var clock: WallClock
  private var total = UsageSum()
  private var groups: [String?: UsageSum] = [:]

  init(_ grouping: UsageGrouping, _ zone: TimeZone, _ prices: PriceTable) {
    (self.grouping, self.prices, clock) = (grouping, prices, WallClock(zone: zone))
  }

  mutating func add(
    _ use: TokenUse, at time: Timestamp, _ precision: TimePrecision, model: String?, project: String?,
    program: String?
  ) {
    let key: String? =
      switch grouping {
      case .day: clock.civil(at: time, knownTo: precision).dateText
      case .model: model
      case .project: project
      case .program: program
      }
    let price = model.flatMap(prices.price)
    total.add(use, price)
    groups[key, default: UsageSum()].add(use, price)
  }

  func answer(limit: Int) -> UsageAnswer {
    let sorted = groups.sorted { a, b in
      switch grouping {
      case .day: return (a.key ?? "") > (b.key ?? "")
      case .model, .project, .program:
        return (b.value.cost, b.value.sent.adding(b.value.received), a.key ?? "")
          < (a.value.cost, a.value.sent.adding(a.value.received), b.key ?? "")
      }
    }
    let shown = sorted.prefix(limit).map { UsageGroupAnswer($0.value, by: grouping, $0.key) }
    return UsageAnswer(
      groups: grouping == .day ? shown.reversed() : shown, total: UsageGroupAnswer(total),
      others: sorted.count > limit ? sorted.count - limit : nil)
  }
}
