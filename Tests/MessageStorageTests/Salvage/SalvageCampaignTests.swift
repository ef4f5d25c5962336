import Foundation
import MessageModel
import TestSupport
import Testing

@testable import MessageStorage

/// Copies of stores, damaged at random.
@Suite(.serialized) struct SalvageCampaignTests {
  private static let seeds = UInt64(0)..<(isLong ? 350 : 6)

  @Test func `of damaged copies what is readable is brought out, and nothing wrong is shown as right`() throws
  {
    let fixture = try SalvageFixture(count: 1_500)
    var (readable, brought, all, present) = (0, 0, 0, 0)
    for seed in Self.seeds {
      let copy = DamagedCopy(of: fixture.bytes, seed: seed)
      let salvaged = try fixture.salvage(copy)
      let found = fixture.compare(salvaged, with: copy)
      #expect(found.wrong.map(\.text) == [], "\(seed) \(copy.way)")
      #expect(salvaged.problems == [], "\(seed) \(copy.way)")
      #expect(salvaged.isUntouched)
      #expect(fixture.deleted.isDisjoint(with: salvaged.messages.map(\.id)), "\(seed) \(copy.way)")
      let lacking = fixture.truth.count - salvaged.messages.count
      if lacking > 0 { #expect(!salvaged.report.isWhole, "\(seed) \(copy.way): \(lacking) are missing") }
      #expect(
        20 * found.brought >= 19 * found.readable,
        "\(seed) \(copy.way): \(found.brought) of \(found.readable)")
      (readable, brought) = (readable + found.readable, brought + found.brought)
      (all, present) = (all + fixture.truth.count, present + salvaged.messages.count)
    }
    print(
      "salvaged \(brought) of \(readable) readable rows, \(present) of \(all) rows, \(Self.seeds.count) copies"
    )
    #expect(1_000 * brought >= 999 * readable)
  }

  @Test func `of damaged copies without checksums, too`() throws {
    let fixture = try SalvageFixture(count: 1_500, hasChecksums: false)
    var (readable, brought) = (0, 0)
    for seed in Self.seeds {
      let copy = DamagedCopy(of: fixture.bytes, seed: seed)
      let salvaged = try fixture.salvage(copy)
      let found = fixture.compare(salvaged, with: copy)
      #expect(salvaged.problems == [], "\(seed) \(copy.way)")
      #expect(salvaged.report.unsummedCount > 0)
      (readable, brought) = (readable + found.readable, brought + found.brought)
    }
    print("salvaged \(brought) of \(readable) readable rows without checksums, \(Self.seeds.count) copies")
    #expect(20 * brought >= 19 * readable)
  }
}
