import { checkedOptions } from '@array-interface/contract';
import { sycl } from '@array-interface/sycl';

// The contract tests the functions that every backend has.
checkedOptions({
  forDpnp: async (given) => {
    using array = sycl.empty([1], 'uint8');
    return array.forDpnp(given);
  },
});
