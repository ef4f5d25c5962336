import HistoryModel
import MessageModel
import Testing

@testable import MessageStorage

/// Long care of a store tells what it is at, and stops where it is told to.
struct CareStepTests {
  private func filled() throws -> TemporaryStore {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    for index in 0..<20 { batch.add("text \(index)", at: minute(index), in: "a") }
    try temporary.store.load([batch])
    return temporary
  }

  @Test func `a check tells each step before it begins`() throws {
    let temporary = try filled()
    var steps: [CareStep] = []
    let check = try temporary.store.check(repair: false) { step in
      steps.append(step)
      return true
    }
    #expect(check.isSound)
    #expect(steps == [.file, .references, .texts, .search, .counts, .duplicates, .contents])
  }

  @Test(arguments: CareStep.allCases) func `it stops before the step that it is told not to take`(
    last: CareStep
  )
    throws
  {
    let temporary = try filled()
    let before = try temporary.store.messages(pageSize: 50)
    for work in [
      { goesOn in _ = try temporary.store.check(repair: true, progress: goesOn) },
      { goesOn in _ = try temporary.store.compact(secure: true, progress: goesOn) },
    ] as [((CareStep) -> Bool) throws -> Void] {
      var isTold = false
      var error: StoreError?
      do {
        try work { step in
          isTold = isTold || step == last
          return step != last
        }
      } catch let thrown as StoreError {
        error = thrown
      }
      #expect(isTold == (error?.kind == .cancelled))
    }
    #expect(try temporary.store.messages(pageSize: 50) == before)
    #expect(try temporary.store.check().isSound)
  }
}
