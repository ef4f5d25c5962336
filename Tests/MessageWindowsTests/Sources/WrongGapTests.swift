import MessageModel
import MessageSourceTesting
import Testing

/// Sources that keep gaps and say something wrong about them.
@Suite struct WrongGapTests {
  @Test(arguments: GapFault.allCases)
  func `a source that is wrong about its gaps is caught by the rule of gaps`(
    fault: GapFault
  ) async throws {
    let error = await #expect(throws: SourceDisagreement.self, "\(fault)") {
      try await checkMessageSource(patience: .seconds(86_400)) { WrongGapSource(fault) }
    }
    #expect(error?.rule == .gaps, "\(fault): \(error.map(String.init(describing:)) ?? "not caught")")
  }

  @Test func `one that is right about them passes`() async throws {
    try await checkMessageSource(patience: .seconds(86_400)) { WrongGapSource(nil) }
  }
}

/// A way in which a source is wrong about its gaps.
enum GapFault: CaseIterable {
  case forgetsOlder, forgetsNewer, losesToken, losesEnd, keepsNone
}

/// A source that is right but for its gaps.
private struct WrongGapSource: ForwardingSource, GapKeepingSource {
  let fault: GapFault?
  let base = ReferenceSource()

  init(_ fault: GapFault?) { self.fault = fault }

  func page(_ request: PageRequest) throws(StoreError) -> Page {
    var page = try base.page(request)
    switch fault {
    case .forgetsOlder: page.olderGap = nil
    case .forgetsNewer: page.newerGap = nil
    case .losesToken:
      page.olderGap?.token = nil
      page.newerGap?.token = nil
    case .losesEnd:
      page.olderGap?.after = nil
      page.newerGap?.before = nil
    case .keepsNone: (page.olderGap, page.newerGap) = (nil, nil)
    case nil: break
    }
    return page
  }

  func setGap(_ gap: MessageGap) { base.setGap(gap) }

  func removeGaps(in conversation: Conversation.ID, after: Message.ID?, before: Message.ID?) {
    base.removeGaps(in: conversation, after: after, before: before)
  }
}
