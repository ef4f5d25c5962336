package import MessageModel

extension MessageWindow {
  /// A page that a window needs.
  package struct Request: Hashable, Sendable {
    /// The ticket to return with the page.
    package let ticket: Ticket
    /// The request for a source.
    package let fetch: PageRequest
  }

  /// Identifies the request that a page belongs to. A window that has moved on ignores the page.
  package struct Ticket: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
      case main, older, newer, arrivals
    }

    let purpose: Purpose
    let number: Int

    /// Whether the request is for a whole window rather than a page at an end.
    package var asksForTheWhole: Bool { purpose == .main }

    /// Whether the request is for the next page at an end.
    package var asksForTheNext: Bool { purpose == .older || purpose == .newer }

    /// Whether the request is for the source's latest state, which a snapshot does not know.
    package var asksForTheLatest: Bool { purpose == .arrivals }
  }

  /// The result of a step of a window: the changes, and the pages to read.
  package struct Update: Sendable {
    /// The change, if there is one.
    package var delta: WindowDelta?
    /// The pages to read, the most urgent first. Each must be answered by ``pageArrived(_:for:)``,
    /// ``loadFailed(_:for:)`` or ``loadCancelled(for:)``.
    package var requests: [Request]
    /// The error of a page that could not be read or used; it is also in the header's activities.
    package var failure: StoreError?
  }
}
