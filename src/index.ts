export { type Ringfold, type RingfoldOptions, startRingfold } from './ringfold.ts';
