// One import for apps. The modules share no names, and their public types are documented here.
@_exported public import HistoryTransfer
@_exported public import MessageInterchange
@_exported public import MessageModel
@_exported public import MessagePictures
@_exported public import MessageStorage
@_exported public import MessageWindows
@_exported public import TypedQueries
@_exported public import WordForms
