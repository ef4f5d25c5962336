import MessageSourceTesting
import MessageWindows

/// A step of a random walk: what a reader does, or what happens to the source.
///
/// Messages are named by numbers taken modulo what there is, so that a walk keeps its meaning when steps are left
/// out.
enum WindowStep {
  case older
  case newer
  case load(ScrollDirection)
  case jump(Place)
  case back
  case forward
  case restore(number: Int)
  case select(Int)
  case look(at: Int, height: Int)
  case move(by: Int)
  case follow(Bool)
  case append(count: Int, bytes: Int)
  case insert(number: Int, count: Int, bytes: Int)
  case delete(from: Int, count: Int)
  case edit(number: Int, bytes: Int)
  case noise
  /// From a message over as many of its neighbours, or to an end.
  case openGap(number: Int, count: Int)
  case closeGaps(number: Int, count: Int)
  case cross(ScrollDirection)
  case announce
  case retry
  case read(Int)
  case deliver(Int)
  case fail(Int)
  case cancel(Int)

  enum Place {
    case newest
    case oldest
    case before(Int)
    case after(Int)
    case around(Int, off: Int64)
    case ordinal(Int)
    case percent(Double)
  }
}

extension WindowStep {
  /// Returns a step drawn at random; `bytes` are the sizes that texts may have.
  static func random(using generator: inout SeededGenerator, bytes: [Int]) -> WindowStep {
    let number = Int.random(in: 0..<100_000, using: &generator)
    let size = bytes[Int.random(in: bytes.indices, using: &generator)]
    return switch Int.random(in: 0..<37, using: &generator) {
    case 34: .openGap(number: number, count: .random(in: 0...3, using: &generator))
    case 35: .closeGaps(number: number, count: .random(in: 0...30, using: &generator))
    case 36: .cross(number.isMultiple(of: 2) ? .older : .newer)
    case 0...3: .older
    case 4...7: .newer
    case 8...10: .jump(.random(number, using: &generator))
    case 11: .back
    case 12: .forward
    case 13: .restore(number: number)
    case 14: .select(number % 4)
    case 15, 16: .look(at: number, height: .random(in: 1...6, using: &generator))
    case 17...20: .move(by: .random(in: -5...5, using: &generator))
    case 21: .follow(number % 4 > 0)
    case 22, 23: .append(count: .random(in: 1...4, using: &generator), bytes: size)
    case 24: .insert(number: number, count: .random(in: 1...30, using: &generator), bytes: size)
    case 25: .delete(from: number, count: .random(in: 1...8, using: &generator))
    case 26: .edit(number: number, bytes: size)
    case 27: .noise
    case 28: .retry
    case 29, 30: .load(number.isMultiple(of: 2) ? .older : .newer)
    default: .announce
    }
  }
}

extension WindowStep {
  /// Returns a step of a walk in which pages are read and delivered at any time, in any order.
  static func racing(using generator: inout SeededGenerator) -> WindowStep {
    let number = Int.random(in: 0..<100, using: &generator)
    return switch Int.random(in: 0..<20, using: &generator) {
    case 0...5: .read(number)
    case 6...10: .deliver(number)
    case 11: .fail(number)
    case 12: .cancel(number)
    default: .random(using: &generator, bytes: [0])
    }
  }
}

extension WindowStep.Place {
  static func random(_ number: Int, using generator: inout SeededGenerator) -> WindowStep.Place {
    switch Int.random(in: 0..<7, using: &generator) {
    case 0: .newest
    case 1: .oldest
    case 2: .before(number)
    case 3: .after(number)
    case 4: .around(number, off: .random(in: -1...1, using: &generator))
    case 5: .ordinal(number % 200 - 20)
    default: .percent(Double(number % 120) - 10)
    }
  }
}
